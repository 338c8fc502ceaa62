export { subagents } from "./resource.ts";
export type { SubagentsService, SubagentWork } from "./routes.ts";
