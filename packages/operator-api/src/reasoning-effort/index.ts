export { reasoningEffortSchema, reasoningEffortsSchema } from "./reasoning-effort.ts";
