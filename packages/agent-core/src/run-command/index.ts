export { type CommandSettings, commandsOff } from "./command-settings.ts";
export { type CommandOptions, Commands } from "./commands.ts";
export { runCommands } from "./feature.ts";
export { removeRedirections } from "./git-guards.ts";
export type { CommandKey, OutputPage } from "./output-spool.ts";
export { sandboxPolicy } from "./sandbox-policy.ts";
