export { giveUpTasks } from "./give-up-tasks.ts";
export { HeldCalls } from "./held-calls.ts";
export { RecordedCalls } from "./recorded-calls.ts";
export { type CallSettings, ServerCalls, type ServerCallsOptions } from "./server-calls.ts";
