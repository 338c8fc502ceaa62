export { listedResources } from "./listed-resources.ts";
export { ResourceCalls } from "./resource-calls.ts";
