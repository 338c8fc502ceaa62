import type { ReactElement } from "react";
import { checkWords } from "./check-words.ts";

/** How something is checked. */
export function CheckText({ check }: { readonly check: unknown }): ReactElement {
  const read = checkWords(check);
  if (read === undefined) return <code className="break-all">{JSON.stringify(check)}</code>;
  const { what, code, more } = read;
  return (
    <>
      {what}
      {code !== undefined && <code className="block whitespace-pre-wrap wrap-anywhere">{code}</code>}
      {more.length > 0 && <span className="block text-sm text-ink-soft">{more.join("; ")}</span>}
    </>
  );
}
