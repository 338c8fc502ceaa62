/**
 * A context's conversation as the model is shown it (E4, E7): messages in the order they were stored, each assistant
 * message followed by the results of its calls, found by call id, so that an answer that came later lands at its call.
 */
import type { Database, Row } from "../database/index.ts";
import type { Statements } from "../journal/index.ts";
import type { ModelContent, ModelMessage, ModelToolCall } from "../model/index.ts";

/** The newest messages that are read; older ones stay stored. */
const MAX_MESSAGES = 1_000;
/** The newest calls whose results are read. */
export const MAX_CALLS = 20_000;
/** Bytes of messages, and again of results, that are read; beyond it by one row at most. */
const MAX_BYTES = 16 * 1024 * 1024;

/** What the model reads in place of a result that is too far back. */
const NO_LONGER_SHOWN = "(this result is too far back to be shown)";

/** What the model reads in place of a result that a person still owes. */
export const AWAITING_A_PERSON = "(awaiting a person: this call has no result yet)";

/** A stored message. `user` and `note` are shown to the model as user messages. */
export type StoredMessage =
  | { readonly kind: "user"; readonly content: readonly ModelContent[] }
  | { readonly kind: "note"; readonly text: string }
  | { readonly kind: "assistant"; readonly text: string; readonly toolCalls?: readonly ModelToolCall[] };

/** A stored message with the task it belongs to. */
export interface HistoryItem {
  readonly task: string;
  readonly message: StoredMessage;
}

/** A conversation read from the store. */
export interface History {
  readonly items: readonly HistoryItem[];
  /** Results by call id; a call without an entry has no outcome yet. */
  readonly results: ReadonlyMap<string, string>;
}

/**
 * Reads a context's conversation, as much of it as the newest bytes hold (E10): whatever callers and tools put in, a
 * turn can be begun. `own` is a task whose messages and results are read even where others' came after them.
 */
export async function readHistory(
  db: Database,
  statements: Statements,
  key: { readonly class: string; readonly context: string },
  own?: string,
): Promise<History> {
  const bounds = { limit: MAX_MESSAGES, bytes: MAX_BYTES };
  const callBounds = { limit: MAX_CALLS, bytes: MAX_BYTES };
  const task = own ?? "";
  const [rows, calls, ownRows, ownCalls] = await Promise.all([
    db.read(statements.selectMessages.bind({ ...key, ...bounds })),
    db.read(statements.selectCallsOfContext.bind({ ...key, messages: MAX_MESSAGES, ...callBounds })),
    own === undefined ? [] : db.read(statements.selectMessagesOfTask.bind({ ...key, task, ...bounds })),
    own === undefined ? [] : db.read(statements.selectCallsOfTask.bind({ task, ...callBounds })),
  ]);
  const results = new Map<string, string>();
  for (const [id, outcome, result] of [...calls, ...ownCalls]) {
    if (outcome !== null) results.set(String(id), String(result ?? results.get(String(id)) ?? NO_LONGER_SHOWN));
  }
  const shown = wholeTurns(rows.toReversed());
  const oldest = Number(shown[0]?.[0] ?? Number.POSITIVE_INFINITY);
  const earlier = ownRows.toReversed().filter((row) => Number(row[0]) < oldest);
  return { items: [...earlier, ...shown].map(toItem), results };
}

function toItem(row: Row): HistoryItem {
  const kind = String(row[2]);
  const body = JSON.parse(String(row[3])) as Record<string, unknown>;
  return { task: String(row[1]), message: { ...body, kind } as unknown as StoredMessage };
}

/** A cut conversation starts at a user message, so that no provider sees an answer without its question. */
function wholeTurns(rows: readonly Row[]): readonly Row[] {
  const first = rows.findIndex((row) => row[2] === "user");
  return first <= 0 ? rows : rows.slice(first);
}

/** The body column of a stored message. */
export function messageBody(message: StoredMessage): string {
  const { kind: _kind, ...body } = message;
  return JSON.stringify(body);
}

/** What the model is shown of one stored message and its calls' results. */
export function showMessage(message: StoredMessage, results?: ReadonlyMap<string, string>): ModelMessage[] {
  switch (message.kind) {
    case "user":
      return [{ role: "user", content: message.content }];
    case "note":
      return [{ role: "user", content: [{ kind: "text", text: message.text }] }];
    case "assistant": {
      const calls = message.toolCalls ?? [];
      const shown: ModelMessage[] = [
        { role: "assistant", text: message.text, ...(calls.length > 0 ? { toolCalls: calls } : {}) },
      ];
      for (const call of calls) {
        shown.push({
          role: "tool",
          callId: call.id,
          name: call.name,
          text: results?.get(call.id) ?? AWAITING_A_PERSON,
        });
      }
      return shown;
    }
  }
}

/**
 * What the model is shown of a conversation. `resuming`: the task that goes on, whose own messages come last; turns that
 * ran while it waited would otherwise stand between its question and its answer, and the model would go on with theirs.
 */
export function showHistory(history: History, resuming?: string): ModelMessage[] {
  const others = history.items.filter((item) => item.task !== resuming);
  const own = history.items.filter((item) => item.task === resuming);
  return [...others, ...own].flatMap((item) => showMessage(item.message, history.results));
}
