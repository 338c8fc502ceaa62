import type { ReactElement } from "react";

/** A text in which what stands between backticks is code. */
export function Description({ text }: { readonly text: string }): ReactElement {
  const parts = text.split("`");
  // An odd number of marks means that one stands for itself.
  if (parts.length % 2 === 0) return <>{text}</>;
  return <>{parts.map((part, index) => (index % 2 === 0 ? part : <code key={`${index}${part}`}>{part}</code>))}</>;
}
