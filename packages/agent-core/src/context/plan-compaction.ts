/** What a compaction keeps and what it summarises (B57 `compaction`). Pure functions. */
import type { ModelMessage } from "../model/index.ts";
import { CHARS_PER_TOKEN, type CompactionSettings } from "./context-settings.ts";
import { messageChars } from "./message-size.ts";
import type { HistoryItem } from "./stored-message.ts";

/** Fewest messages, or share of all characters, that a compaction takes out of sight: less is not worth a model call. */
const LEAST_MESSAGES = 10;
const LEAST_SHARE = 0.25;
/** Characters up to which the newest request stays when it is older than what is kept. */
const MAX_REQUEST_CHARS = 8_000;

/** A conversation as it stands before a model call. */
export interface ContextSize {
  readonly messages: readonly ModelMessage[];
  /** Characters of the messages, and of what is sent beside them. */
  readonly chars: number;
  readonly besideChars: number;
  readonly windowTokens: number;
}

function isReached({ trigger }: CompactionSettings, size: ContextSize): boolean {
  const tokens = (size.chars + size.besideChars) / CHARS_PER_TOKEN;
  switch (trigger.kind) {
    case "fraction":
      return tokens >= size.windowTokens * trigger.value;
    case "tokens":
      return tokens >= trigger.value;
    case "messages":
      return size.messages.length >= trigger.value;
  }
}

/** Whether it is time to compact, and enough would go. */
export function isCompactionDue(settings: CompactionSettings, size: ContextSize): boolean {
  if (!settings.enabled || !isReached(settings, size)) return false;
  // The summary of an earlier compaction and the request stay beside the newest messages.
  const older = size.messages.length - settings.keepMessages - 2;
  if (older <= 0) return false;
  if (older >= LEAST_MESSAGES) return true;
  const chars = size.messages.slice(0, older).reduce((sum, message) => sum + messageChars(message), 0);
  return chars >= size.chars * LEAST_SHARE;
}

/** A conversation, divided. */
export interface CompactionPlan {
  readonly summarised: readonly HistoryItem[];
  /** In the order shown. Calls are here or there together with their results. */
  readonly kept: readonly HistoryItem[];
  /** What the summary is written from, in the order shown: what is summarised, and the newest request where it is among it. */
  readonly material: readonly HistoryItem[];
}

function shownMessages({ message }: HistoryItem): number {
  if (message.kind === "recalled" || message.kind === "tainted") return 0;
  return message.kind === "assistant" ? 1 + (message.toolCalls?.length ?? 0) : 1;
}

/** The newest message of a person, unless it is too large to be shown beside what is kept. */
export function newestRequest(items: readonly HistoryItem[]): HistoryItem | undefined {
  const item = items.findLast(({ message }) => message.kind === "user");
  return item !== undefined && isSmallRequest(item) ? item : undefined;
}

function isSmallRequest({ message }: HistoryItem): boolean {
  if (message.kind !== "user") return false;
  return messageChars({ role: "user", content: message.content }) <= MAX_REQUEST_CHARS;
}

/**
 * Divides a conversation, given in the order shown: the newest messages are kept, at least as many as `keepMessages` and
 * whole with their results, and the newest request, so that the model continues with what it was asked.
 */
export function planCompaction(items: readonly HistoryItem[], keepMessages: number): CompactionPlan {
  let start = items.length;
  for (let count = 0; start > 0 && count < keepMessages; ) count += shownMessages(items[--start]!);
  const request = newestRequest(items);
  const stays = (item: HistoryItem, i: number): boolean => i >= start || item === request;
  return {
    summarised: items.filter((item, i) => !stays(item, i)),
    kept: items.filter(stays),
    material: items.slice(0, start),
  };
}
