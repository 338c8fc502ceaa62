export { type DelegationsService, delegationsDefinitions, delegationsRoutes } from "./routes.ts";
