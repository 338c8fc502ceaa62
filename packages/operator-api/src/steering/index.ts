export { type SteeringService, steeringDefinitions, steeringRoutes } from "./routes.ts";
