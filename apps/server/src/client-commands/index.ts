export type { CommandIo, Keyboard, Sink } from "./command-io.ts";
export { COMMANDS, commandList } from "./command-table.ts";
export { EXIT, type ExitCode } from "./exit-code.ts";
export { processIo } from "./process-io.ts";
export { runClientCommand } from "./run-client-command.ts";
