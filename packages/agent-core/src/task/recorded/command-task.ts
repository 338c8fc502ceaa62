/** A message that is a slash command runs before any model call (R15). */
import {
  type CommandOutcome,
  type CommandRegistry,
  readCommand,
  type SlashCommand,
  type WrittenCommand,
} from "../../command/index.ts";
import { isConstraintError } from "../../database/index.ts";
import type { TaskOrigin } from "../../event/index.ts";
import { OPERATOR_CLASS } from "../../share/index.ts";
import type { TurnDeps } from "../../turn/index.ts";
import { keyRow, type RequestKey } from "../request-key.ts";
import type { StartTask } from "../start-task.ts";
import { TaskError } from "../task-error.ts";
import type { TaskHandle } from "../task-handle.ts";
import { recordTask } from "./recorded-task.ts";

/** Origins whose messages people write. A message of an agent, a schedule or an inbox is never a command. */
const WRITTEN_BY_PEOPLE: ReadonlySet<TaskOrigin> = new Set(["a2a", "chat", "v1", "embed"]);

/** The command in a message; undefined: it is not one. A peer's text never is. */
export function commandOfMessage({
  class: callerClass,
  origin,
  input,
  role,
  options,
  isAskedAgain = false,
}: StartTask): WrittenCommand | undefined {
  const [first] = input.parts;
  if (first?.kind !== "text" || first.text.charCodeAt(0) !== 47) return undefined;
  const mayBeCommand = callerClass === OPERATOR_CLASS && WRITTEN_BY_PEOPLE.has(origin) && role === undefined;
  return mayBeCommand && !isAskedAgain && options?.purpose === undefined ? readCommand(first.text) : undefined;
}

export interface CommandParts {
  readonly deps: TurnDeps;
  readonly commands: CommandRegistry;
  /** Accepts a message that is for the model. */
  readonly accept: (start: StartTask) => Promise<TaskHandle>;
  /** Whether nothing of a message may stay in its context. */
  readonly isIncognito: (start: StartTask, context: string) => Promise<boolean>;
  /** The task that was accepted under a key. */
  readonly byKey: (key: RequestKey) => Promise<TaskHandle | undefined>;
}

/** Runs a command; a text that is none becomes a turn of the model. @throws TaskError unknown_command */
export async function runCommand(written: WrittenCommand, start: StartTask, parts: CommandParts): Promise<TaskHandle> {
  const { deps, accept, byKey, isIncognito } = parts;
  const command = commandOf(written, start, parts);
  if (command === undefined) return accept(start);
  const { context = deps.newId(), id = deps.newId(), key } = start;
  const incognito = await isIncognito(start, context);
  const outcome = await command.run({ args: written.args, class: start.class, context, incognito });
  const meant = { ...start, context, id };
  if (outcome.kind === "turn") return accept(turnOf(meant, outcome));
  try {
    const keys = key === undefined ? [] : [keyRow(deps, start.class, key, id)];
    // The conversation contains neither the command nor its output.
    const recorded = { start: meant, text: outcome.text, purpose: "command", label: "task.command" } as const;
    return await recordTask({ ...recorded, statements: keys }, deps);
  } catch (error) {
    // Another request with the same key ran at the same time (A15).
    const known = key !== undefined && isConstraintError(error) ? await byKey(key) : undefined;
    if (known !== undefined) return known;
    throw error;
  }
}

function turnOf(
  start: StartTask,
  { options, role, text }: Extract<CommandOutcome, { readonly kind: "turn" }>,
): StartTask {
  const turn = { ...start, options: { ...start.options, ...options }, ...(role !== undefined && { role }) };
  if (text === undefined) return turn;
  const [, ...rest] = start.input.parts;
  return { ...turn, input: { ...start.input, parts: [{ kind: "text", text }, ...rest] } };
}

/**
 * The command of that name; undefined: the text is for the model, whose own command it may be (R10).
 * @throws TaskError unknown_command where people type commands: the chat and consoles
 */
function commandOf(
  written: WrittenCommand,
  { origin, input, options }: StartTask,
  { commands, deps }: CommandParts,
): SlashCommand | undefined {
  if (ownCommands(deps, options?.model).includes(written.name)) return undefined;
  const command = commands.find(written.name);
  if (command !== undefined) return command;
  if (origin !== "chat" && input.metadata?.surface !== "console") return undefined;
  throw new TaskError("unknown_command", `There is no command /${written.name}. There are: ${commands.names()}.`);
}

function ownCommands(deps: TurnDeps, model: string | undefined): readonly string[] {
  try {
    return deps.chooseModel(model).commands ?? [];
  } catch {
    // The turn fails with the name of the model that is missing.
    return [];
  }
}
