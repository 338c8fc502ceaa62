import type { WaitingPrompt } from "../../../prompts/index.ts";

/** What the conversation waits for and does. */
export interface Situation {
  /** What waits for a person in the conversation, those of one moment in the order of their calls; approvals are answered by their cards alone. */
  readonly prompts: readonly WaitingPrompt[];
  /** The agent is working: what is written reaches it at its next step. */
  readonly running: boolean;
  /** The person chose not to answer what waits. */
  readonly declinesToAnswer: boolean;
}

/** What Enter does with what is written. */
export type Intent =
  | { readonly kind: "answer"; readonly prompt: WaitingPrompt; readonly others: number }
  | { readonly kind: "steer" }
  | { readonly kind: "send" };

/**
 * Returns what sending does: it answers the question or form that has waited longest, else adds to the turn that runs,
 * else starts a turn. Commands and files start a turn of their own: they are no answers, and cannot steer.
 */
export function intentOf(
  { prompts, running, declinesToAnswer }: Situation,
  written: { readonly text: string; readonly files: readonly unknown[] },
): Intent {
  if (written.files.length > 0 || written.text.startsWith("/")) return { kind: "send" };
  const [prompt, ...others] = declinesToAnswer ? [] : answerable(prompts);
  if (prompt !== undefined) return { kind: "answer", prompt, others: others.length };
  return running ? { kind: "steer" } : { kind: "send" };
}

/** The questions and forms among prompts, the one that has waited longest first. */
export function answerable(prompts: readonly WaitingPrompt[]): readonly WaitingPrompt[] {
  return prompts
    .filter(({ payload }) => payload.kind !== "approval")
    .toSorted((a, b) => Date.parse(a.created_at) - Date.parse(b.created_at));
}
