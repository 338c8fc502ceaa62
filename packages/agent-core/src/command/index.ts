export { CommandRegistry, type CommandSource } from "./command-registry.ts";
export type {
  CommandArgument,
  CommandCall,
  CommandKind,
  CommandOutcome,
  SlashCommand,
  WrittenCommand,
} from "./slash-command.ts";
export { readCommand } from "./slash-command.ts";
