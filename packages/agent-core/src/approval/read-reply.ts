/** From a message to the answer of the prompt it replies to (A13). */
import type { FormStep, ParkAnswer } from "@agent-service/plugin-sdk";
import type { InputMessage, PromptPayload } from "../event/index.ts";
import { readFormAnswer } from "./form-answer.ts";
import { isObject } from "./form-schema.ts";
import { readDecision } from "./read-decision.ts";

/** A reply as it was sent. */
export interface Reply {
  /** Set when the reply names the prompt it answers. */
  readonly promptId?: string;
  /** Text of the text parts, or what the data part holds. */
  readonly answer: unknown;
  /** Text beside a decision, for the model to read. */
  readonly note?: string;
}

/** Fields of `{promptId, decline: true, note?}`, beside the prompt's id. */
const DECLINING: ReadonlySet<string> = new Set(["decline", "note"]);

/** An answer, or why the prompt stays open. */
export type ReplyVerdict =
  | { readonly ok: true; readonly answer: ParkAnswer }
  | { readonly ok: false; readonly reason: string };

/**
 * Takes a message for a reply. The first data part wins: `{promptId, answer, note?}`, or bare data, which is the answer
 * itself (and names its prompt if it holds a `promptId`). Without one the text parts are the answer, joined by line
 * breaks.
 */
export function replyOf(message: InputMessage): Reply {
  for (const part of message.parts) {
    if (part.kind !== "data") continue;
    if (!isObject(part.data) || typeof part.data.promptId !== "string") return { answer: part.data };
    const { promptId, ...rest } = part.data;
    if (!Object.hasOwn(rest, "answer")) return { promptId, answer: rest };
    return { promptId, answer: rest.answer, ...(typeof rest.note === "string" ? { note: rest.note } : {}) };
  }
  return { answer: message.parts.flatMap((part) => (part.kind === "text" ? [part.text] : [])).join("\n") };
}

/** `{answer: …}` sent without the prompt's id, unless `answer` is what a field of the form is called. */
function unwrapped(answer: unknown, steps: readonly FormStep[]): unknown {
  if (!isObject(answer) || !Object.hasOwn(answer, "answer") || Object.keys(answer).length !== 1) return answer;
  return hasField(steps, "answer") ? answer : answer.answer;
}

function textOf(answer: unknown): string {
  const text = unwrapped(answer, []);
  return typeof text === "string" ? text : (JSON.stringify(text) ?? "");
}

function hasField(steps: readonly FormStep[], name: string): boolean {
  return steps.some(({ schema }) => isObject(schema?.properties) && Object.hasOwn(schema.properties, name));
}

/** `{promptId, decline: true, note?}`, unless `decline` is what a field of the form is called. */
function declined({ promptId, answer }: Reply, steps: readonly FormStep[]): ParkAnswer | undefined {
  if (promptId === undefined || !isObject(answer) || answer.decline !== true || hasField(steps, "decline"))
    return undefined;
  if (!Object.keys(answer).every((name) => DECLINING.has(name))) return undefined;
  return { kind: "form", declined: true, ...(typeof answer.note === "string" ? { note: answer.note } : {}) };
}

/**
 * Reads a reply for what the prompt asks: any text for a question, values for a form or its decline, a decision for an
 * approval. Never throws. `warn` receives why a form's schema could not be used. Who may answer is checked by the caller.
 */
export function readAnswer(payload: PromptPayload, reply: Reply, warn?: (message: string) => void): ReplyVerdict {
  switch (payload.kind) {
    case "question":
      return { ok: true, answer: { kind: "question", text: textOf(reply.answer) } };
    case "form": {
      const decline = declined(reply, payload.steps);
      if (decline !== undefined) return { ok: true, answer: decline };
      const read = readFormAnswer(payload.steps, unwrapped(reply.answer, payload.steps), warn);
      return read.ok ? { ok: true, answer: { kind: "form", values: read.values } } : read;
    }
    case "approval": {
      const { approved, note = reply.note } = readDecision(reply.answer);
      return { ok: true, answer: { kind: "approval", approved, ...(note === undefined ? {} : { note }) } };
    }
  }
}
