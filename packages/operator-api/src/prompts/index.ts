export { type PromptsService, promptsDefinitions, promptsRoutes } from "./routes.ts";
