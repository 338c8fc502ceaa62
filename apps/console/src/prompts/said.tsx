import type { ReactElement } from "react";

/** What is said beside a question, its paragraphs apart; nothing where it is blank. */
export function Said({ text }: { readonly text: string }): ReactElement | null {
  return text === "" ? null : <p className="whitespace-pre-line text-ink-soft">{text}</p>;
}
