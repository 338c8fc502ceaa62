export { type HealthState, healthRoute } from "./health-route.ts";
