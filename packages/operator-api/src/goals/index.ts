export { goals } from "./resource.ts";
export type { GoalsService } from "./routes.ts";
export type { GoalEventRow, GoalRow } from "./schema.ts";
