import type { TaskOptions } from "../turn/index.ts";

/** What a command belongs to. An earlier kind hides commands of the same name of later ones. */
export type CommandKind = "control" | "plugin_command" | "workflow" | "subagent" | "skill";

/** A command as it was said. */
export interface CommandCall {
  /** What follows the name, without space around it. */
  readonly args: string;
  /** Of who said it. */
  readonly class: string;
  /** The conversation it was said in. */
  readonly context: string;
}

/**
 * What comes of a command: a text, which is the answer of a turn that asks no model; or a turn of the model's, with these
 * options added to those it would have, in a role, about another text than was said.
 */
export type CommandOutcome =
  | { readonly kind: "say"; readonly text: string }
  | {
      readonly kind: "turn";
      readonly options?: Partial<TaskOptions>;
      readonly role?: string;
      readonly text?: string;
    };

/** Something that is done when an operator says `/name` (R15). */
export interface SlashCommand {
  /** Letters, digits, `_` and `-`, a small letter first. */
  readonly name: string;
  readonly kind: CommandKind;
  /** One sentence without its full stop. */
  readonly description: string;
  /** How it is written: `/title <text>`. */
  readonly usage: string;
  /** Called before anything is accepted: what it throws refuses the message. */
  run(call: CommandCall): CommandOutcome | Promise<CommandOutcome>;
}

/** A name and what follows it. */
export interface SaidCommand {
  readonly name: string;
  readonly args: string;
}

/** The command that a text is, whether there is one of its name or not (R15). */
export function readCommand(text: string): SaidCommand | undefined {
  if (text.charCodeAt(0) !== 47) return undefined;
  const [said, name] = /^\/([a-z][\w-]*)(?=\s|$)/.exec(text) ?? [];
  return said === undefined || name === undefined ? undefined : { name, args: text.slice(said.length).trim() };
}
