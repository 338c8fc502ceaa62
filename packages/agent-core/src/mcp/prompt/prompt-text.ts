import { clipText } from "../../tool/index.ts";
import { withoutInvisible } from "../definition/index.ts";
import { readCallResult } from "../result/index.ts";

/** Messages of a prompt that are read; the rest are a number. */
const MAX_MESSAGES = 100;

export interface PromptTextOptions {
  /** Null: no bound of its own. */
  readonly maxChars: number | null;
  /** Takes secrets out of what the server says. */
  redact(text: string): string;
}

/** What the model reads of a `GetPromptResult`; blank: it says nothing. It was written by others. Never throws. */
export function readPromptText(result: unknown, { maxChars, redact }: PromptTextOptions): string {
  const { messages } = (result ?? {}) as { readonly messages?: unknown };
  const listed: readonly unknown[] = Array.isArray(messages) ? messages : [];
  const read = listed.slice(0, MAX_MESSAGES).map((message) => {
    const { role, content } = (message ?? {}) as { readonly role?: unknown; readonly content?: unknown };
    const { text } = readCallResult({ content: [content] }, { maxChars: null, redact });
    return { isAnswer: role === "assistant", text: withoutInvisible(text).trim() };
  });
  // One person speaks in most of them: who says what matters where there are two.
  const isTalk = read.some(({ isAnswer }) => isAnswer);
  const texts = read.map(({ isAnswer, text }) => (isTalk ? `${isAnswer ? "Assistant" : "User"}: ${text}` : text));
  const left = listed.length - read.length;
  const joined = redact([...texts, ...(left > 0 ? [`[${left} more messages]`] : [])].join("\n\n"));
  return (maxChars === null ? joined : clipText(joined, maxChars, redact)).trim();
}
