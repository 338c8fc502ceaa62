export { codingAgents } from "./resource.ts";
export type { CodingAgent, CodingAgentsService } from "./routes.ts";
