export { withErrorObject } from "./api-error.ts";
export { openAIRoutes } from "./routes.ts";
