export { type CallToolParts, toolCaller } from "./tool-caller.ts";
