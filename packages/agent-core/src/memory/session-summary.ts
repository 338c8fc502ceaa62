/** What a conversation was about, without a model: its newest messages, its calls and its last answer (K15). */
import { storableText } from "../database/index.ts";
import type { SessionTurn } from "../session/index.ts";

/** Where a conversation came from, for people. */
export type SummarySurface = "chat" | "a2a/other" | "activity" | "palette" | "background";

export interface SummaryMessage {
  readonly role: "user" | "agent";
  readonly text: string;
  /** ISO 8601. */
  readonly at: string;
}

/** The file of a summary. */
export interface SessionSummary {
  readonly session_id: string;
  /** When its last turn ended, in ISO 8601. */
  readonly timestamp: string;
  readonly surface: SummarySurface;
  /** How its first message begins. */
  readonly topic: string;
  /** Of `messages`. */
  readonly message_count: number;
  /** Of the last turn; null: it is in none. */
  readonly trace_id: string | null;
  /** It holds content from outside. */
  readonly outside: boolean;
  /** The newest, oldest first. */
  readonly messages: readonly SummaryMessage[];
  /** The newest calls. */
  readonly tools: readonly { readonly name: string; readonly outcome: string }[];
  /** The last answer. */
  readonly final: string;
}

/** Bytes of a file. */
export const SUMMARY_BYTES = 64 * 1024;
const MESSAGE_CHARACTERS = 8_000;
const MOST_TOOLS = 20;

/** What a summary is made of; `turns` are its newest, the newest first. */
export interface SummarySource {
  readonly session: string;
  readonly surface: SummarySurface;
  readonly topic: string;
  readonly trace: string | null;
  readonly outside: boolean;
  readonly turns: readonly SessionTurn[];
  readonly redact: (text: string) => string;
}

/** Undefined: nothing was said. */
export function summaryOf({ session, turns, redact, ...about }: SummarySource): SessionSummary | undefined {
  const oldestFirst = turns.toReversed();
  const clean = (text: string): string => {
    const whole = storableText(redact(text)).trim();
    return whole.length <= MESSAGE_CHARACTERS ? whole : `${whole.slice(0, MESSAGE_CHARACTERS).toWellFormed()} …`;
  };
  const messages = oldestFirst.flatMap((turn) => messagesOf(turn, clean));
  const newest = turns[0];
  if (newest === undefined || messages.length === 0) return undefined;
  const tools = oldestFirst.flatMap(({ toolCalls }) => toolCalls.map(({ name, outcome }) => ({ name, outcome })));
  return fitting({
    ...{ session_id: session, timestamp: isoOf(newest.updatedAt), surface: about.surface },
    ...{ topic: clean(about.topic), message_count: messages.length, trace_id: about.trace, outside: about.outside },
    ...{ messages, tools: tools.slice(-MOST_TOOLS), final: clean(newest.answer) },
  });
}

function messagesOf(turn: SessionTurn, clean: (text: string) => string): SummaryMessage[] {
  const said = turn.messages.filter(({ about }) => about !== "approval");
  const answered = { from: "agent" as const, text: turn.answer, at: turn.updatedAt };
  return [...said, answered]
    .map(({ from, text, at }) => ({ role: from, text: clean(text), at: isoOf(at) }))
    .filter(({ text }) => text !== "");
}

/** Without its oldest messages, where all of them are too many. */
function fitting(summary: SessionSummary): SessionSummary {
  let room = SUMMARY_BYTES - Buffer.byteLength(JSON.stringify({ ...summary, messages: [] }));
  let from = summary.messages.length;
  while (from > 0) {
    room -= Buffer.byteLength(JSON.stringify(summary.messages[from - 1])) + 1;
    if (room < 0) break;
    from--;
  }
  const messages = summary.messages.slice(from);
  return { ...summary, messages, message_count: messages.length };
}

function isoOf(at: number): string {
  return new Date(at).toISOString();
}

/** A summary as people and models read it. */
export function renderedSummary({ topic, surface, timestamp, messages, tools }: SessionSummary): string {
  const lines = messages.map(
    ({ role, text, at }) => `**${role === "user" ? "Person" : "Agent"}** (${minuteOf(at)})\n\n${text}`,
  );
  const called =
    tools.length === 0 ? [] : [`Tools: ${tools.map(({ name, outcome }) => `${name} (${outcome})`).join(", ")}`];
  const head = [`# ${topic === "" ? "Conversation" : topic}`, `${surface}, until ${minuteOf(timestamp)} UTC`];
  return [...head, ...lines, ...called].join("\n\n");
}

function minuteOf(at: string): string {
  return at.slice(0, 16).replace("T", " ");
}
