import type { TaskOptions } from "../turn/index.ts";

/** What a command belongs to. An earlier kind hides commands of the same name of later ones. */
export type CommandKind = "control" | "plugin_command" | "workflow" | "subagent" | "skill" | "mcp_prompt";

/** What a command takes by name. */
export interface CommandArgument {
  readonly name: string;
  readonly description?: string;
  readonly required: boolean;
}

export interface CommandCall {
  /** What follows the name, without space around it. */
  readonly args: string;
  /** The caller's class. */
  readonly class: string;
  /** The conversation it was sent in. */
  readonly context: string;
  /** Nothing of it may stay. */
  readonly incognito: boolean;
}

/**
 * The outcome of a command: a text, which is the answer of a turn without a model call; or a turn of the model, with these
 * options added to its own, in a role, about another text than the one sent.
 */
export type CommandOutcome =
  | { readonly kind: "reply"; readonly text: string }
  | {
      readonly kind: "turn";
      readonly options?: Partial<TaskOptions>;
      readonly role?: string;
      readonly text?: string;
    };

/** A command that an operator sends as `/name` (R15). */
export interface SlashCommand {
  /** Letters, digits, `_` and `-`, a small letter first. */
  readonly name: string;
  readonly kind: CommandKind;
  /** One sentence without its full stop. */
  readonly description: string;
  /** How it is written: `/title <text>`. */
  readonly usage: string;
  /** Absent: what follows its name is one text. */
  readonly arguments?: readonly CommandArgument[];
  /** Called before anything is accepted: what it throws refuses the message. */
  run(call: CommandCall): CommandOutcome | Promise<CommandOutcome>;
}

/** A command as a person wrote it: its name and the text after it. */
export interface WrittenCommand {
  readonly name: string;
  readonly args: string;
}

/** Parses a command; it need not be a known one (R15). Undefined: the text is no command. */
export function readCommand(text: string): WrittenCommand | undefined {
  if (text.charCodeAt(0) !== 47) return undefined;
  const [prefix, name] = /^\/([a-z][\w-]*)(?=\s|$)/.exec(text) ?? [];
  return prefix === undefined || name === undefined ? undefined : { name, args: text.slice(prefix.length).trim() };
}
