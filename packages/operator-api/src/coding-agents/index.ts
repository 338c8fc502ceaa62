export { type CodingAgent, type CodingAgentsService, codingAgentsRoutes, listCodingAgents } from "./routes.ts";
