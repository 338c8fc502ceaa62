/** A call that the server carries out as a task of its own: it is asked for the result until there is one, restarts later (M7). */
import type { JsonObject } from "../../json/index.ts";
import type { OfferedMethod } from "../offered-method.ts";
import { MAX_ROUNDS, type Question, questionsIn } from "./input-required.ts";

const MAX_ID_CHARS = 1_024;
/** Milliseconds between two polls, whatever the server says (M12). */
const MIN_INTERVAL_MS = 1_000;
const MAX_INTERVAL_MS = 60_000;
const DEFAULT_INTERVAL_MS = 2_000;

/** What is kept with a call that became a task. JSON. */
export interface TaskNote {
  readonly kind: "task";
  /** The server's. */
  readonly id: string;
  /** See `targetDigest`: another server is not asked for it. */
  readonly target: string;
  readonly intervalMs: number;
  /** What the server waits for; none: it works. */
  readonly questions: readonly Question[];
  /** Answers so far to these, as the protocol has them, by key. */
  readonly answers: JsonObject;
  /** Keys of earlier questions that were answered: a server may show them for a while. */
  readonly answered: readonly string[];
  readonly rounds: number;
}

/** What a server says of its task. */
export type TaskState =
  | { readonly kind: "working"; readonly intervalMs: number; readonly message: string | undefined }
  | { readonly kind: "asks"; readonly note: TaskNote }
  | { readonly kind: "completed"; readonly result: JsonObject }
  | { readonly kind: "failed"; readonly reason: string }
  /** It asks what no person can be asked: the task cannot go on. */
  | { readonly kind: "stuck"; readonly reason: string }
  | { readonly kind: "unreadable"; readonly reason: string };

/** Reads a note; undefined: it is none of these. */
export function taskNote(kept: unknown): TaskNote | undefined {
  return isFields(kept) && kept.kind === "task" ? (kept as unknown as TaskNote) : undefined;
}

/** The note of a task that a server answered a call with; undefined: it has no id that can be asked for. */
export function newTask(task: JsonObject, target: string): TaskNote | undefined {
  const { taskId: id } = task;
  if (typeof id !== "string" || id === "" || id.length > MAX_ID_CHARS) return undefined;
  const state = { questions: [], answers: {}, answered: [], rounds: 0 };
  return { kind: "task", id, target, intervalMs: intervalOf(task, DEFAULT_INTERVAL_MS), ...state };
}

/** Reads what a server says of a task, whatever it writes there. What is said of another task is none of it. */
export function taskState(note: TaskNote, task: JsonObject, offers: ReadonlySet<OfferedMethod>): TaskState {
  if (task.taskId !== undefined && task.taskId !== note.id)
    return { kind: "unreadable", reason: "it answered with another task than the one that was asked for" };
  switch (task.status) {
    case "working":
      return { kind: "working", intervalMs: intervalOf(task, note.intervalMs), message: textOf(task.statusMessage) };
    case "input_required":
      return asking(note, task, offers);
    case "completed":
      return isFields(task.result)
        ? { kind: "completed", result: task.result as JsonObject }
        : { kind: "unreadable", reason: "its task ended without a result" };
    case "failed":
      return { kind: "failed", reason: reasonOf(task) ?? "its task failed" };
    case "cancelled":
      return { kind: "failed", reason: `it cancelled its task${after(textOf(task.statusMessage))}` };
    default:
      return { kind: "unreadable", reason: "what it says of its task is not one of the protocol's states" };
  }
}

/** A note whose answers the server has. */
export function answeredNote(note: TaskNote): TaskNote {
  return { ...note, questions: [], answers: {}, answered: [...note.answered, ...Object.keys(note.answers)] };
}

function asking(note: TaskNote, task: JsonObject, offers: ReadonlySet<OfferedMethod>): TaskState {
  const asked = questionsIn(task.inputRequests, offers, new Set(note.answered));
  if (typeof asked === "string") return { kind: "stuck", reason: asked };
  if (asked.length === 0) return { kind: "working", intervalMs: intervalOf(task, note.intervalMs), message: undefined };
  const rounds = note.rounds + 1;
  if (rounds > MAX_ROUNDS) return { kind: "stuck", reason: `it asked more than ${MAX_ROUNDS} times` };
  const intervalMs = intervalOf(task, note.intervalMs);
  return { kind: "asks", note: { ...note, intervalMs, rounds, questions: asked, answers: {} } };
}

function intervalOf({ pollIntervalMs }: JsonObject, otherwise: number): number {
  const ms = typeof pollIntervalMs === "number" && Number.isFinite(pollIntervalMs) ? pollIntervalMs : otherwise;
  return Math.min(Math.max(ms, MIN_INTERVAL_MS), MAX_INTERVAL_MS);
}

function reasonOf({ error, statusMessage }: JsonObject): string | undefined {
  return (isFields(error) ? textOf(error.message) : undefined) ?? textOf(statusMessage);
}

function after(text: string | undefined): string {
  return text === undefined ? "" : `: ${text}`;
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
