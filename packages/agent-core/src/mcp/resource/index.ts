export { ResourceCalls } from "./resource-calls.ts";
