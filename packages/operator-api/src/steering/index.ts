export { steering } from "./resource.ts";
export type { SteeringService } from "./routes.ts";
