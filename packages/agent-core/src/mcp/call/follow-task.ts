import { type Clock, sleep } from "../../clock/index.ts";
import type { JsonObject } from "../../json/index.ts";
import { ConnectionError, type ManagedServer, ServerError } from "../connection/index.ts";
import type { OfferedMethod } from "../offered-method.ts";
import { answeredNote, type TaskNote, type TaskState, taskState } from "./task-note.ts";

/** Milliseconds that a server has to answer about a task. */
const ANSWER_MS = 30_000;
/** Answers in a row that say nothing about the task, after which it is given up. */
const MAX_UNREADABLE = 5;
/** What a server answers that does not know the task: JSON-RPC's code for wrong parameters. */
const UNKNOWN_TASK = -32_602;

/** How a task ends, or what it waits for. */
export type TaskEnd = Extract<TaskState, { readonly kind: "asks" | "completed" }>;

/** What following a task needs. */
export interface TaskFollowing {
  readonly clock: Clock;
  /** Aborted: it is followed no more. The task itself runs on until `cancelTask`. */
  readonly signal: AbortSignal;
  /** The server that has the task, as it is now; undefined: it is configured no more. */
  server(): ManagedServer | undefined;
  /** What it may ask of the service now. */
  offers(): ReadonlySet<OfferedMethod>;
  onMessage(text: string): void;
}

/**
 * Hands over the answers that a note has, and asks for the task after `waitMs` and from then on until it ends or asks
 * something. A server that is away is waited for: asking again changes nothing, nor does answering.
 * @throws ConnectionError `server` where the task failed, `lost` where it is not known how it ended; and the signal's reason
 */
export async function followTask(begun: TaskNote, waitMs: number, following: TaskFollowing): Promise<TaskEnd> {
  const { clock, signal, onMessage } = following;
  let note = begun;
  let unreadable = 0;
  let shown: string | undefined;
  for (let ms = waitMs; ; ms = note.intervalMs) {
    if (ms > 0) await sleep(clock, ms, signal);
    const state = await stateOf(note, following);
    if (state.kind === "away") continue;
    if (state.kind === "completed" || state.kind === "asks") return state;
    if (state.kind === "failed") throw new ConnectionError("server", state.reason);
    if (state.kind === "stuck") throw new ConnectionError("lost", state.reason);
    if (state.kind === "unreadable") {
      if (++unreadable === MAX_UNREADABLE) throw new ConnectionError("lost", state.reason);
      continue;
    }
    unreadable = 0;
    note = { ...answeredNote(note), intervalMs: state.intervalMs };
    if (state.message !== undefined && state.message !== shown) onMessage(state.message);
    shown = state.message;
  }
}

/** `away`: the server was not reached. */
async function stateOf(
  note: TaskNote,
  { signal, server: current, offers }: TaskFollowing,
): Promise<TaskState | { readonly kind: "away" }> {
  const server = current();
  if (server === undefined) throw new ConnectionError("lost", "it was removed before its task ended");
  const options = { signal, timeoutMs: ANSWER_MS };
  const taskId = note.id;
  try {
    const connection = await server.connection(signal);
    const answering =
      note.questions.length > 0 &&
      connection.request("tasks/update", { taskId, inputResponses: note.answers }, options).catch(refusal);
    // Answers that the server refuses leave it with the same questions: they are asked again.
    const known = (await answering) instanceof ServerError ? { ...note, questions: [] } : answeredNote(note);
    return taskState(known, await connection.request("tasks/get", { taskId }, options), offers());
  } catch (error) {
    if (signal.aborted || !(error instanceof ConnectionError)) throw error;
    if (error instanceof ServerError && error.rpcCode === UNKNOWN_TASK)
      throw new ConnectionError("lost", "it does not know its task any more");
    if (error.code === "auth") server.needsAuth(error.message);
    return error.code === "server" ? { kind: "unreadable", reason: error.message } : { kind: "away" };
  }
}

function refusal(error: unknown): ServerError {
  if (error instanceof ServerError) return error;
  throw error;
}

/**
 * Asks the server to cancel a task; false: it was not reached. Never rejects: a server that is away ends its tasks when their
 * time is over.
 */
export async function cancelTask(server: ManagedServer, { id }: TaskNote): Promise<boolean> {
  const signal = AbortSignal.timeout(ANSWER_MS);
  const params: JsonObject = { taskId: id };
  try {
    const connection = await server.connection(signal);
    await server.during(() => connection.request("tasks/cancel", params, { signal, timeoutMs: ANSWER_MS }));
    return true;
  } catch (error) {
    if (error instanceof ConnectionError && error.code === "auth") server.needsAuth(error.message);
    return error instanceof ServerError;
  }
}
