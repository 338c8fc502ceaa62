export { Agenda, type AgendaOptions } from "./agenda.ts";
export type { DurableTimer, FireLater, FireTimer, SettleTimer } from "./durable-timer.ts";
export { TooManyTimersError } from "./durable-timer.ts";
export { DurableTimers, type DurableTimersOptions } from "./durable-timers.ts";
