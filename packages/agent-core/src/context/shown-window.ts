/**
 * How much of a conversation is shown. Its start moves in steps: when a bound is passed the oldest quarter goes at once,
 * and until the next step what is shown only grows at its end, so that a provider's cache of the prefix stays good. A
 * step is stored as a row of the conversation (`View`), so later turns and a restart show the same bytes.
 */
import { messageBody } from "./message-body.ts";
import { type CompactionPlan, newestRequest } from "./plan-compaction.ts";
import type { History, HistoryItem } from "./stored-message.ts";

/** Most stored messages that are shown; a turn that passes it is shown whole, the next one begins with a step. */
export const MAX_MESSAGES = 1_000;
/** Bytes of messages, and again of results, that are read; beyond it by one row at most (EN10). */
export const MAX_BYTES = 16 * 1024 * 1024;

/** What a step leaves of either bound. */
const KEEP_SHARE = 0.75;

/** Bytes of a message and the results of its calls, as the store has them. */
export function itemBytes({ message }: HistoryItem, results: History["results"]): number {
  let bytes = Buffer.byteLength(messageBody(message));
  if (message.kind !== "assistant") return bytes;
  for (const { id } of message.toolCalls ?? []) bytes += Buffer.byteLength(results.get(id) ?? "");
  return bytes;
}

/**
 * Divides a conversation whose bounds are passed: the newest three quarters of what fits stay, from the beginning of a
 * turn on, and the messages of the turn `own`, whatever they are.
 */
export function planWindow({ items, results }: Pick<History, "items" | "results">, own: string): CompactionPlan {
  const others = items.filter(({ task }) => task !== own);
  const mine = items.filter(({ task }) => task === own);
  let bytes = mine.reduce((sum, item) => sum + itemBytes(item, results), 0);
  let start = others.length;
  for (; start > 0; start--) {
    bytes += itemBytes(others[start - 1]!, results);
    const count = mine.length + others.length - start + 1;
    if (count > MAX_MESSAGES * KEEP_SHARE || bytes > MAX_BYTES * KEEP_SHARE) break;
  }
  const isTurn = ({ message }: HistoryItem): boolean => message.kind === "user";
  const turn = start === 0 ? 0 : others.findIndex((item, i) => i >= start && isTurn(item));
  const from = turn === -1 ? start : turn;
  // Inside a turn that is longer than what stays, what it was asked stays in sight.
  const request = turn === -1 ? newestRequest(others.slice(0, start)) : undefined;
  const stays = (item: HistoryItem, i: number): boolean => i >= from || item === request;
  return {
    summarised: others.filter((item, i) => !stays(item, i)),
    kept: [...others.filter(stays), ...mine],
    material: others.slice(0, from),
  };
}

/** Replaces messages that are not shown and in no summary. */
export function outOfSightNote(messages: number, afterSummary: boolean): string {
  const which = afterSummary ? `${messages} messages that followed it` : `${messages} earlier messages`;
  return `[${which} of this conversation are not shown to you, for it is long. They stay stored. Where they matter, say that you do not see them, fetch again what a tool can read, or ask.]`;
}
