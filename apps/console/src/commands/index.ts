export { type Command, matching } from "./command-registry.ts";
export { CommandsProvider, useCommandList, useCommands } from "./commands-context.tsx";
export { keysLabel } from "./key-sequence.ts";
export { controlsIn, pageCommands } from "./page-commands.ts";
