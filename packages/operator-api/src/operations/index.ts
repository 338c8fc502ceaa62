export { listOperations, operationsRoutes } from "./routes.ts";
