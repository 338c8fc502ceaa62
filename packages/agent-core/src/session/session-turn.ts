/** A turn of a session as people read it: a reading of its events, or of its messages once those were deleted. */
import type { ComponentOutput } from "@agent-service/plugin-sdk";
import { answerText, promptText } from "../approval/index.ts";
import {
  type AnswerPart,
  addUsage,
  type InputPart,
  NO_USAGE,
  type PromptPayload,
  type SkippedApproval,
  type TaskEvent,
  type TaskState,
  type TaskUsage,
} from "../event/index.ts";
import { imageId } from "./message-file.ts";
import { CUT_PARTS } from "./turn-statements.ts";
import type { TurnMemory, TurnThought, TurnToolCall } from "./turn-steps.ts";

export interface MessageFile {
  /** Undefined: it has none, or the conversation no longer holds it. */
  readonly name: string | undefined;
  readonly mediaType: string;
  /** Under which its content is read; undefined once the journal no longer holds it. */
  readonly id: string | undefined;
  /** Bytes of its content; undefined where that is not known any more. */
  readonly size: number | undefined;
}

/** A message of a turn, not its answer. Times are epoch milliseconds. */
export interface TurnMessage {
  /** `agent`: a question of the agent's; its answer is the turn's `answer`. */
  readonly from: "user" | "agent";
  readonly text: string;
  readonly files: readonly MessageFile[];
  readonly at: number;
  /** It asks whether a call may run, and with which arguments, or answers that. */
  readonly about?: "approval";
}

/** The parts of an answer that are not text. */
export type TurnArtifact =
  | { readonly kind: "data"; readonly data: unknown; readonly mediaType: string }
  | { readonly kind: "component"; readonly component: ComponentOutput };

/** One of the turns that a conversation has in the same place (SV1). */
export interface TurnVersion {
  readonly task: string;
  /** The session that shows it: of several the one with the newest turn. */
  readonly session: string;
}

/** A turn. Times are epoch milliseconds. */
export interface SessionTurn {
  readonly task: string;
  readonly origin: string;
  readonly state: TaskState;
  readonly createdAt: number;
  /** When its state last changed. */
  readonly updatedAt: number;
  readonly messages: readonly TurnMessage[];
  /** The text of the answer; empty while there is none. Of a turn that was stopped or failed: the text streamed so far, for a day. */
  readonly answer: string;
  readonly artifacts: readonly TurnArtifact[];
  /** Why it failed, or what a guard noted. */
  readonly note: string | undefined;
  /** The stable code of why it failed; undefined: it did not. */
  readonly failureCode: string | undefined;
  readonly toolCalls: readonly TurnToolCall[];
  /** In order; none once the pieces of text have left the journal, a day after the turn ended (R12). */
  readonly thoughts: readonly TurnThought[];
  /** What the agent remembered for it and had not shown before; none once the steps have left the journal (K17). */
  readonly recalled: readonly TurnMemory[];
  /** The model that answered last. */
  readonly model: string | undefined;
  /** Of the model calls that ended, while it runs; undefined before the first. */
  readonly usage: TaskUsage | undefined;
  /** Tokens that its last model call was given. */
  readonly contextTokens: number | undefined;
  readonly costUsd: number | undefined;
  readonly durationMs: number | undefined;
  /** Some text is too long to be included whole. */
  readonly truncated: boolean;
  /** The answer ended at a limit of its length. */
  readonly cut: boolean;
  /** What the conversation has in this place, this turn included, oldest first; absent: this alone. */
  readonly versions?: readonly TurnVersion[];
}

/** A turn while it is read. */
export type DraftTurn = {
  -readonly [TKey in keyof SessionTurn]: SessionTurn[TKey] extends readonly (infer TEntry)[]
    ? TEntry[]
    : SessionTurn[TKey];
} & {
  /** The starts of its calls, by call. */
  readonly begun: Map<string, Extract<TaskEvent, { readonly kind: "tool.started" }>>;
  /** Its calls that ran unasked, by call. */
  readonly skipped: Map<string, SkippedApproval>;
  /** What it asked a person, by prompt. */
  readonly asked: Map<string, PromptPayload>;
};

/** A turn built from its row alone, before its events are read. */
export function draftTurn(row: Pick<SessionTurn, "task" | "origin" | "state" | "createdAt" | "updatedAt">): DraftTurn {
  return {
    ...row,
    messages: [],
    answer: "",
    artifacts: [],
    note: undefined,
    failureCode: undefined,
    toolCalls: [],
    thoughts: [],
    recalled: [],
    model: undefined,
    usage: undefined,
    contextTokens: undefined,
    costUsd: undefined,
    durationMs: undefined,
    truncated: false,
    cut: false,
    begun: new Map(),
    skipped: new Map(),
    asked: new Map(),
  };
}

/** Parts as text: data as JSON, files not at all. */
function textOfParts(parts: readonly (InputPart | AnswerPart)[]): string {
  const texts = parts.map((part) => {
    if (part.kind === "file") return "";
    return part.kind === "text" ? part.text : JSON.stringify(part.data);
  });
  return texts.filter((text) => text !== "").join("\n");
}

/** Where an event stands: in its task, and in time. */
export interface EventPlace {
  readonly seq: number;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** `prefix`: of the ids of its files, which end with their position among the parts. */
function userMessage(parts: readonly InputPart[], at: number, prefix: string): TurnMessage {
  const files = parts.flatMap((part, index): MessageFile[] => {
    if (part.kind !== "file") return [];
    const { name, mediaType, bytes } = part;
    return [{ name, mediaType, id: `${prefix}.${index}`, size: sizeOf(bytes.length) }];
  });
  return { from: "user", text: textOfParts(parts), files, at };
}

/** Bytes of a content of so many characters of base64; two too many at most. */
function sizeOf(characters: number): number {
  return Math.floor(characters * 0.75);
}

function aboutOf({ asked }: DraftTurn, prompt: string): Pick<TurnMessage, "about"> {
  return asked.get(prompt)?.kind === "approval" ? { about: "approval" } : {};
}

export function addEvent(turn: DraftTurn, event: TaskEvent, { seq, at }: EventPlace): void {
  switch (event.kind) {
    case "task.accepted":
      turn.messages.push(userMessage(event.input.parts, at, String(seq)));
      return;
    case "input.consumed":
      for (const [no, { parts }] of event.inputs.entries()) turn.messages.push(userMessage(parts, at, `${seq}.${no}`));
      return;
    case "prompt.answered":
      turn.messages.push({
        ...userMessage(event.answer.parts, at, String(seq)),
        ...aboutOf(turn, event.promptId),
        text: answerText(turn.asked.get(event.promptId), event.answer),
      });
      return;
    case "task.parked":
      for (const { promptId, payload } of event.prompts) turn.asked.set(promptId, payload);
      for (const prompt of event.prompts.slice(0, 1)) {
        const about = aboutOf(turn, prompt.promptId);
        turn.messages.push({ from: "agent", text: promptText(prompt), files: [], at, ...about });
      }
      return;
    case "answer":
      turn.answer = textOfParts(event.parts.filter(({ kind }) => kind === "text"));
      for (const part of event.parts) if (part.kind === "data") turn.artifacts.push(part);
      return;
    case "component.shown":
      turn.artifacts.push({ kind: "component", component: event.component });
      return;
    case "tool.started":
      turn.begun.set(event.call, event);
      return;
    case "approval.skipped": {
      const { by, rule } = event;
      turn.skipped.set(event.call, by === "rule" ? { by, rule } : { by });
      return;
    }
    case "context.recalled":
      for (const { chunk, revision, kind } of event.items) turn.recalled.push({ chunk, revision, kind });
      return;
    case "tool.finished": {
      const { call: id, name, title, outcome, ms } = event;
      const start = turn.begun.get(id);
      const skipped = turn.skipped.get(id);
      const call = { id, name, args: start?.args, title: title ?? start?.title, outcome, ms };
      const images = event.images?.map((image, no) => ({ ...image, id: imageId(id, no) }));
      turn.toolCalls.push({ ...call, ...(skipped && { skipped }), ...(images && { images }) });
      return;
    }
    case "model.finished":
      turn.model = event.model;
      turn.cut = event.finish === "length";
      turn.contextTokens = event.usage?.input ?? turn.contextTokens;
      addUsed(turn, event.usage);
      return;
    case "detail.removed":
      turn.model = event.models.at(-1)?.model;
      return;
    case "model.failed":
      addUsed(turn, event.usage);
      return;
    case "task.completed":
    case "task.failed":
    case "task.canceled":
      if (event.kind === "task.completed") turn.note = event.note;
      if (event.kind === "task.failed") {
        turn.note = event.failure.message;
        turn.failureCode = event.failure.code;
      }
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

/** A part of an event that is too long to be read whole. */
export interface CutPart {
  readonly kind: InputPart["kind"];
  /** The beginning of a text; null for other parts. */
  readonly text: string | null;
  /** The text continues beyond what was read. */
  readonly long: boolean;
  readonly name: string | null;
  readonly mediaType: string | null;
  /** Its position among the parts. */
  readonly no: number;
  /** Characters of base64 of a file. */
  readonly characters: number | null;
}

const WITH_PARTS: readonly string[] = ["answer", "task.accepted", "prompt.answered"] satisfies TaskEvent["kind"][];

/** Adds the parts that could be read of an event that is too long to be read whole; a file is its name, as always. */
export function addCutEvent(turn: DraftTurn, kind: string, parts: readonly CutPart[], { seq, at }: EventPlace): void {
  const isCut = parts.length === CUT_PARTS || parts.some((part) => part.long || part.kind === "data");
  turn.truncated ||= isCut || !WITH_PARTS.includes(kind);
  const text = parts.flatMap((part) => (part.text === null ? [] : [part.text])).join("\n");
  if (kind === "answer") turn.answer = text;
  else if (WITH_PARTS.includes(kind)) {
    const files = parts.filter((part) => part.kind === "file");
    turn.messages.push({
      ...{ from: "user", text, at },
      files: files.map(({ name, mediaType, no, characters }) => ({
        ...{ name: name ?? undefined, mediaType: mediaType ?? "" },
        ...{ id: `${seq}.${no}`, size: sizeOf(characters ?? 0) },
      })),
    });
  }
}
