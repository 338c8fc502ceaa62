/**
 * What is shown after a context overflow (R5): the newest messages with a note that earlier ones were left out.
 * Stored history is untouched (EN7).
 */
import type { ModelMessage } from "../model/index.ts";

/** Messages kept after a model rejected the context as too long. */
export const KEEP_AFTER_OVERFLOW = 10;
/** Characters kept of each older tool result that stays. */
const KEEP_RESULT_CHARS = 4_000;

function shorten(message: ModelMessage): ModelMessage {
  if (message.role !== "tool" || message.text.length <= KEEP_RESULT_CHARS) return message;
  const half = KEEP_RESULT_CHARS / 2;
  const omitted = message.text.length - KEEP_RESULT_CHARS;
  return {
    ...message,
    text: `${message.text.slice(0, half)}\n[${omitted} characters left out]\n${message.text.slice(-half)}`,
  };
}

/** The messages with their longest results cut in the middle. */
export function shortenResults(messages: readonly ModelMessage[]): ModelMessage[] {
  return messages.map(shorten);
}

/**
 * Keeps call and result pairs whole: a kept tail never starts with a tool result, and the last step's calls stay, for a
 * model that does not see them makes them again.
 */
export function compactMessages(messages: readonly ModelMessage[], keep: number = KEEP_AFTER_OVERFLOW): ModelMessage[] {
  let start = Math.max(0, messages.length - keep);
  while (start < messages.length && messages[start]!.role === "tool") start++;
  if (start === messages.length)
    start = Math.max(
      0,
      messages.findLastIndex((message) => message.role !== "tool"),
    );
  const kept = shortenResults(messages.slice(start));
  if (start === 0) return kept;
  const lastUser = messages.findLast((message) => message.role === "user");
  const note: ModelMessage = {
    role: "user",
    content: [{ kind: "text", text: `[${start} earlier messages are left out because the context was too long.]` }],
  };
  return lastUser === undefined || kept.includes(lastUser) ? [note, ...kept] : [note, lastUser, ...kept];
}
