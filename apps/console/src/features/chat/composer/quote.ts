import type { Draft } from "./drafts.ts";

/** Characters of a quotation. */
const MAX_CHARS = 4_000;

/** Puts a quotation behind what is written, with room for what is said of it. */
export function withQuote(draft: Draft, text: string): Draft {
  const shown = text.trim();
  const cut = shown.length > MAX_CHARS ? `${shown.slice(0, MAX_CHARS).replace(/[\uD800-\uDBFF]$/, "")}…` : shown;
  const quoted = cut
    .split(/\r?\n/)
    .map((line) => `> ${line}`.trimEnd())
    .join("\n");
  return {
    ...draft,
    text: [draft.text.trimEnd(), quoted]
      .filter((part) => part !== "")
      .join("\n\n")
      .concat("\n\n"),
  };
}
