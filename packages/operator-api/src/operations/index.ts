export { operations } from "./resource.ts";
