export { withErrorObject } from "./api-error.ts";
export { type ChatRouteOptions, chatRoute } from "./chat-route.ts";
export { type ListedModels, modelsRoutes } from "./models-routes.ts";
