export { countLineChanges, isBinary, type LineChanges } from "./line-changes.ts";
