import type { ReactElement } from "react";
import { count } from "../../../ui/index.ts";

/** Shows below the header how many messages of a long chat the model no longer gets, and whether a summary replaces them. */
export function OutOfSight({
  messages,
  summarised,
}: {
  readonly messages: number;
  readonly summarised: boolean;
}): ReactElement | null {
  if (messages === 0) return null;
  const which = messages === 1 ? "the oldest message" : `the ${count(messages)} oldest messages`;
  return (
    <p className="border-b border-line px-4 py-1 text-xs text-ink-soft">
      The model no longer sees {which} of this chat
      {summarised ? " and works with a summary of older messages instead." : ". There is no summary of older messages."}
    </p>
  );
}
