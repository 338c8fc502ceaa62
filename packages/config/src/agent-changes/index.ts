export { agentMayChange, unsafeForAgent } from "./agent-may-change.ts";
