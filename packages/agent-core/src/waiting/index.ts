export { waiting } from "./feature.ts";
export { waitTimers, waitTool } from "./wait-tool.ts";
