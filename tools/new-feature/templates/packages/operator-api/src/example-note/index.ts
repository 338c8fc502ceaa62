export { exampleNote } from "./resource.ts";
