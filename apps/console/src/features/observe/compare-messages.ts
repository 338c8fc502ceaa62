import { diffArrays } from "diff";
import type { PromptMessage } from "./prompt-call.ts";

/** A message of a conversation beside another one. */
export interface ComparedMessage {
  readonly kind: "same" | "added" | "removed";
  readonly message: PromptMessage;
}

/** Changed messages beyond which two conversations count as wholly different. */
const MOST_EDITS = 2_000;

/** How a conversation differs from another: all of its messages, with those of the other that it does not have. */
export function compareMessages(
  before: readonly PromptMessage[],
  after: readonly PromptMessage[],
): readonly ComparedMessage[] {
  const changes = diffArrays([...before], [...after], {
    comparator: (one, other) => contentOf(one) === contentOf(other),
    maxEditLength: MOST_EDITS,
  }) ?? [
    { value: [...before], removed: true, added: false },
    { value: [...after], removed: false, added: true },
  ];
  return changes.flatMap(({ value, added, removed }) =>
    value.map((message) => ({ kind: added ? "added" : removed ? "removed" : "same", message }) as const),
  );
}

/** What a model read of a message: ids of calls are not part of it, for a fork has others. */
function contentOf({ role, text, images, tool_calls: calls, tool }: PromptMessage): string {
  return JSON.stringify([role, text, images, calls?.map(({ name, args }) => [name, args]), tool]);
}

/** Whether a message contains a text, in any case. */
export function messageHas({ text, tool, tool_calls: calls = [] }: PromptMessage, wanted: string): boolean {
  const needle = wanted.toLowerCase();
  return [text, tool ?? "", ...calls.flatMap(({ name, args }) => [name, args])].some((one) =>
    one.toLowerCase().includes(needle),
  );
}
