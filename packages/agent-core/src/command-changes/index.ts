export { CommandChanges, type CommandNote, type NotedCommand } from "./command-changes.ts";
export { changesOfCommands, commandChanges } from "./feature.ts";
