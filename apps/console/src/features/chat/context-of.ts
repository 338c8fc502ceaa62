import type { UsedSoFar } from "./live-turn.ts";
import type { StoredTurn } from "./turn-history.ts";

/** How full a conversation's context is. Tokens; undefined: nobody told. */
export interface ContextFigures {
  readonly context: number | undefined;
  readonly window: number | undefined;
  /** The turn that runs is of a model that no turn read so far is of: its window is not read yet. */
  readonly isNewModel: boolean;
}

/** Of the turn that runs, where one of its model calls ended, else of the last turn that tells. */
export function contextOf(
  turns: readonly Pick<StoredTurn, "model" | "context_tokens" | "context_window">[],
  used: UsedSoFar | undefined,
): ContextFigures {
  if (used !== undefined) {
    const same = turns.findLast(({ model }) => model === used.model);
    return { context: used.context, window: same?.context_window ?? undefined, isNewModel: same === undefined };
  }
  const last = turns.findLast(({ context_tokens }) => context_tokens !== null);
  return {
    context: last?.context_tokens ?? undefined,
    window: last?.context_window ?? undefined,
    isNewModel: false,
  };
}
