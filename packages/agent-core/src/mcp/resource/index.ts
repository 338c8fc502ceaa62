export { listedResources, type McpListedResource } from "./listed-resources.ts";
export { ResourceCalls } from "./resource-calls.ts";
