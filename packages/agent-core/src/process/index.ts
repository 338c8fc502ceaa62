export { CapturedOutput } from "./captured-output.ts";
export { type Environment, isSteeringVariable, processEnvironment, safePath } from "./process-environment.ts";
export { ProcessError } from "./process-error.ts";
export type { ProcessKind } from "./process-queue.ts";
export { MARKER, type ProcessTable, psTable } from "./process-table.ts";
export { Processes, type ProcessesOptions, type ProcessRequest } from "./processes.ts";
export type { EndCause, OutputStream, ProcessEnd, RunningProcess } from "./running-process.ts";
export { probeSandbox, type Sandbox, type SandboxPolicy, type SandboxState } from "./sandbox/index.ts";
export { type DetachedProgram, type EarlyEnd, startDetached } from "./start-detached.ts";
