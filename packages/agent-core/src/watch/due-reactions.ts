import { isTerminalState } from "../event/index.ts";
import type { DueSteps, TaskLook } from "../trigger/index.ts";
import type { HeldWatch } from "./held-watch.ts";

export type ReactionStep =
  /** Its task ended, or was deleted. */
  | { readonly kind: "end"; readonly held: HeldWatch; readonly interrupted: boolean }
  /** Fires wait, and none is open. */
  | { readonly kind: "start"; readonly held: HeldWatch };

/** What is due of reactions. */
export function dueReactions(
  watches: readonly HeldWatch[],
  look: (task: string) => TaskLook | undefined,
): DueSteps<ReactionStep> {
  const steps: ReactionStep[] = [];
  for (const held of watches) {
    const { reaction, pending } = held.watch.state;
    if (reaction === undefined) {
      if (pending > 0) steps.push({ kind: "start", held });
      continue;
    }
    const seen = look(reaction);
    if (seen === undefined || isTerminalState(seen.state))
      steps.push({ kind: "end", held, interrupted: seen?.interrupted === true });
  }
  return { steps, at: undefined };
}
