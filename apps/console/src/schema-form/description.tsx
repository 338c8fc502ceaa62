import type { ReactElement } from "react";

/** A text in which backticks enclose code. */
export function Description({ text }: { readonly text: string }): ReactElement {
  const parts = text.split("`");
  // With an odd number of backticks the last one is a character of the text.
  if (parts.length % 2 === 0) return <>{text}</>;
  return <>{parts.map((part, index) => (index % 2 === 0 ? part : <code key={`${index}${part}`}>{part}</code>))}</>;
}
