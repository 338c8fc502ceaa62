/** A turn of a session as people read it: a reading of its events, or of its messages once those are gone. */
import type { ComponentOutput } from "@agent-service/plugin-sdk";
import { promptText } from "../approval/index.ts";
import {
  type AnswerPart,
  addUsage,
  type CallOutcome,
  type InputPart,
  NO_USAGE,
  type TaskEvent,
  type TaskState,
  type TaskUsage,
} from "../event/index.ts";
import type { Redactor } from "../redaction/index.ts";

/** Something that was said. Times are epoch milliseconds. */
export interface SaidInTurn {
  /** `agent`: a question of the agent's; its answer is the turn's `answer`. */
  readonly from: "user" | "agent";
  readonly text: string;
  readonly at: number;
}

/** What an answer holds beside text. */
export type TurnArtifact =
  | { readonly kind: "data"; readonly data: unknown; readonly mediaType: string }
  | { readonly kind: "component"; readonly component: ComponentOutput };

/** A tool call that ended. */
export interface TurnToolCall {
  readonly name: string;
  readonly outcome: CallOutcome;
  readonly ms: number;
}

/** What the model thought in one step, before it answered or called tools. Times are epoch milliseconds. */
export interface TurnThought {
  /** The beginning of it, up to 8,000 characters. */
  readonly text: string;
  readonly truncated: boolean;
  /** Tool calls that had ended before: where it stands among them. */
  readonly callsBefore: number;
  /** When its first piece and its last one were stored. */
  readonly startedAt: number;
  readonly endedAt: number;
}

/** A turn. Times are epoch milliseconds. */
export interface SessionTurn {
  readonly task: string;
  readonly origin: string;
  readonly state: TaskState;
  readonly createdAt: number;
  /** When its state last changed. */
  readonly updatedAt: number;
  readonly said: readonly SaidInTurn[];
  /** The text of the answer; empty while there is none. */
  readonly answer: string;
  readonly artifacts: readonly TurnArtifact[];
  /** Why it failed, or what a guard noted. */
  readonly note: string | undefined;
  readonly toolCalls: readonly TurnToolCall[];
  /** In order; none once the pieces of text have left the journal, a day after the turn ended (ruling R12). */
  readonly thoughts: readonly TurnThought[];
  /** The model that answered last. */
  readonly model: string | undefined;
  /** Of the model calls that ended, while it runs; undefined before the first. */
  readonly usage: TaskUsage | undefined;
  /** Tokens that its last model call was given. */
  readonly contextTokens: number | undefined;
  readonly costUsd: number | undefined;
  readonly durationMs: number | undefined;
  /** Something in it is too long to be told here whole. */
  readonly truncated: boolean;
}

/** A turn while it is read. */
export type DraftTurn = {
  -readonly [TKey in keyof SessionTurn]: SessionTurn[TKey] extends readonly (infer TEntry)[]
    ? TEntry[]
    : SessionTurn[TKey];
};

/** A turn of which nothing but its row is known. */
export function draftTurn(row: Pick<SessionTurn, "task" | "origin" | "state" | "createdAt" | "updatedAt">): DraftTurn {
  return {
    ...row,
    said: [],
    answer: "",
    artifacts: [],
    note: undefined,
    toolCalls: [],
    thoughts: [],
    model: undefined,
    usage: undefined,
    contextTokens: undefined,
    costUsd: undefined,
    durationMs: undefined,
    truncated: false,
  };
}

/** Parts as text: data as JSON, a file by its name. */
function textOfParts(parts: readonly (InputPart | AnswerPart)[]): string {
  const texts = parts.map((part) => {
    if (part.kind === "text") return part.text;
    if (part.kind === "data") return JSON.stringify(part.data);
    return `[${part.name ?? "file"}, ${part.mediaType}]`;
  });
  return texts.filter((text) => text !== "").join("\n");
}

/** Adds an event to its turn. */
export function addEvent(turn: DraftTurn, event: TaskEvent, at: number): void {
  switch (event.kind) {
    case "task.accepted":
      turn.said.push({ from: "user", text: textOfParts(event.input.parts), at });
      return;
    case "input.consumed":
      for (const { parts } of event.inputs) turn.said.push({ from: "user", text: textOfParts(parts), at });
      return;
    case "prompt.answered":
      turn.said.push({ from: "user", text: textOfParts(event.answer.parts), at });
      return;
    case "task.parked":
      for (const prompt of event.prompts.slice(0, 1)) turn.said.push({ from: "agent", text: promptText(prompt), at });
      return;
    case "answer":
      turn.answer = textOfParts(event.parts.filter(({ kind }) => kind === "text"));
      for (const part of event.parts) if (part.kind === "data") turn.artifacts.push(part);
      return;
    case "component.shown":
      turn.artifacts.push({ kind: "component", component: event.component });
      return;
    case "tool.finished":
      turn.toolCalls.push({ name: event.name, outcome: event.outcome, ms: event.ms });
      return;
    case "model.finished":
      turn.model = event.model;
      turn.contextTokens = event.usage?.input ?? turn.contextTokens;
      addUsed(turn, event.usage);
      return;
    case "model.failed":
      addUsed(turn, event.usage);
      return;
    case "task.completed":
    case "task.failed":
    case "task.canceled":
      if (event.kind === "task.completed") turn.note = event.note;
      if (event.kind === "task.failed") turn.note = event.failure.message;
      turn.usage = event.usage;
      turn.costUsd = event.costUsd;
      turn.durationMs = event.durationMs;
      return;
    default:
  }
}

function addUsed(turn: DraftTurn, usage: TaskUsage | undefined): void {
  if (usage !== undefined) turn.usage = addUsage(turn.usage ?? NO_USAGE, usage);
}

/** Adds what could be read of an event that is too long to be read whole. */
export function addCutEvent(turn: DraftTurn, kind: string, texts: readonly string[], at: number): void {
  turn.truncated = true;
  if (kind === "answer") turn.answer = texts.join("\n");
  else if (kind === "task.accepted" || kind === "prompt.answered") {
    turn.said.push({ from: "user", text: texts.join("\n"), at });
  }
}

/** Adds a message of the conversation to a turn whose events are gone. */
export function addMessage(turn: DraftTurn, kind: string, body: unknown, at: number): void {
  const { content, text } = body as { readonly content?: readonly InputPart[]; readonly text?: string };
  // An image of a message is as the model is shown it: without a name.
  if (kind === "user") turn.said.push({ from: "user", text: textOfContent(content ?? []), at });
  else turn.answer = text ?? "";
}

function textOfContent(
  content: readonly { readonly kind: string; readonly text?: string; readonly mediaType?: string }[],
) {
  return content.map(({ text, mediaType }) => text ?? `[file, ${mediaType ?? "image"}]`).join("\n");
}

/** The turn without secrets (ruling S5). */
export function redactedTurn(turn: SessionTurn, redactor: Redactor): SessionTurn {
  const { text } = redactor;
  return {
    ...turn,
    said: turn.said.map((one) => ({ ...one, text: text(one.text) })),
    answer: text(turn.answer),
    artifacts: turn.artifacts.map((artifact) => redactor.value(artifact) as TurnArtifact),
    note: turn.note && text(turn.note),
    toolCalls: turn.toolCalls.map((call) => ({ ...call, name: text(call.name) })),
    thoughts: turn.thoughts.map((thought) => ({ ...thought, text: text(thought.text) })),
    model: turn.model && text(turn.model),
  };
}
