export type { DurableTimer, DurableTimersOptions, FireTimer } from "./durable-timers.ts";
export { DurableTimers, TooManyTimersError } from "./durable-timers.ts";
