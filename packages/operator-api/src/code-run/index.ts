export { codeRun } from "./resource.ts";
