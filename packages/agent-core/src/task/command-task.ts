/** A message that is a command: it is carried out before any model is asked (R15). */
import {
  type CommandOutcome,
  type CommandRegistry,
  readCommand,
  type SaidCommand,
  type SlashCommand,
} from "../command/index.ts";
import { DatabaseError, type Statement } from "../database/index.ts";
import { NO_USAGE, type TaskEvent, type TaskOrigin } from "../event/index.ts";
import { OPERATOR_CLASS } from "../share/index.ts";
import type { TurnDeps } from "../turn/index.ts";
import { keyRow, type RequestKey } from "./request-key.ts";
import { acceptedEvent, type StartTask } from "./start-task.ts";
import { TaskError } from "./task-error.ts";
import { type TaskHandle, taskHandle } from "./task-handle.ts";

/** Where people speak. What an agent, a schedule or an inbox says is never a command. */
const SPOKEN: ReadonlySet<TaskOrigin> = new Set(["a2a", "chat", "v1", "embed"]);

/** The command a message is written as. Federation text is never one. */
export function saidCommand({ class: callerClass, origin, input, role, options }: StartTask): SaidCommand | undefined {
  const [first] = input.parts;
  if (first?.kind !== "text" || first.text.charCodeAt(0) !== 47) return undefined;
  const spoken = callerClass === OPERATOR_CLASS && SPOKEN.has(origin) && role === undefined;
  return spoken && options?.purpose === undefined ? readCommand(first.text) : undefined;
}

/** What a command is carried out over. */
export interface CommandParts {
  readonly deps: TurnDeps;
  readonly commands: CommandRegistry;
  /** Accepts a message that is for the model. */
  readonly accept: (start: StartTask) => Promise<TaskHandle>;
  /** The task that a key stands for. */
  readonly byKey: (key: RequestKey) => Promise<TaskHandle | undefined>;
}

/** Carries a command out; a text that is none goes to the model. @throws TaskError unknown_command */
export async function obeyCommand(said: SaidCommand, start: StartTask, parts: CommandParts): Promise<TaskHandle> {
  const { deps, accept, byKey } = parts;
  const command = commandOf(said, start, parts);
  if (command === undefined) return accept(start);
  const { context = deps.newId(), id = deps.newId(), key } = start;
  const outcome = await command.run({ args: said.args, class: start.class, context });
  const meant = { ...start, context, id };
  if (outcome.kind === "turn") return accept(turnOf(meant, outcome));
  try {
    const keys = key === undefined ? [] : [keyRow(deps, start.class, key, id)];
    return await tellCommand(meant, outcome.text, { deps, keys });
  } catch (error) {
    // A twin of this request was carried out while this one was (A15).
    const isTwin = error instanceof DatabaseError && error.code === "constraint";
    const known = key !== undefined && isTwin ? await byKey(key) : undefined;
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
  said: SaidCommand,
  { origin, input, options }: StartTask,
  { commands, deps }: CommandParts,
): SlashCommand | undefined {
  if (ownCommands(deps, options?.model).includes(said.name)) return undefined;
  const command = commands.find(said.name);
  if (command !== undefined) return command;
  if (origin !== "chat" && input.metadata?.surface !== "console") return undefined;
  throw new TaskError("unknown_command", `There is no command /${said.name}. There are: ${commands.names()}.`);
}

function ownCommands(deps: TurnDeps, model: string | undefined): readonly string[] {
  try {
    return deps.chooseModel(model).commands ?? [];
  } catch {
    // The turn itself says which model it could not find.
    return [];
  }
}

/** Stores a turn that was over before it began: a command and what it says. The conversation holds neither. */
async function tellCommand(
  start: StartTask & { readonly id: string; readonly context: string },
  text: string,
  { deps, keys }: { readonly deps: TurnDeps; readonly keys: readonly Statement[] },
): Promise<TaskHandle> {
  const { journal } = deps;
  const { id } = start;
  const of = { class: start.class, context: start.context };
  const events: TaskEvent[] = [
    acceptedEvent(start, of, "running"),
    { kind: "answer", parts: [{ kind: "text", text }] },
    { kind: "task.completed", usage: NO_USAGE, durationMs: 0 },
  ];
  const options = JSON.stringify({ ...start.options, purpose: "command" });
  const statements = [...keys, ...(start.alongside?.({ id, context: start.context }) ?? [])];
  const { record, committed } = journal.create(
    { id, ...of, origin: start.origin, options, parent: undefined },
    { label: "task.command", events, statements },
  );
  await committed;
  journal.release(record);
  return taskHandle(journal, record);
}
