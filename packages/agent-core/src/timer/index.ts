export type { DurableTimer, DurableTimersOptions, FireTimer } from "./durable-timers.ts";
export { DurableTimers, TooManyTimersError } from "./durable-timers.ts";
export { CannotWaitError, type WaitToolOptions, waitTimers, waitTool } from "./wait-tool.ts";
