export { type SubagentsService, type SubagentWork, subagentsDefinitions, subagentsRoutes } from "./routes.ts";
