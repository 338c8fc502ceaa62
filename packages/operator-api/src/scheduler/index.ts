export { scheduler } from "./resource.ts";
export type { SchedulerService } from "./routes.ts";
export type { ScheduledJobRow, SlotRunRow } from "./schema.ts";
