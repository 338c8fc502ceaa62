export { giveUpTasks } from "./give-up-tasks.ts";
export { HeldCalls } from "./held-calls.ts";
export { RecordedCalls } from "./recorded-calls.ts";
export { ServerCalls } from "./server-calls.ts";
export type { CallSettings, ServerCallsOptions } from "./server-calls-options.ts";
