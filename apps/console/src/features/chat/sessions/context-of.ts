import type { TurnUsage } from "../live/live-turn.ts";
import type { StoredTurn } from "../live/turn-history.ts";

/** Context of a conversation in tokens; undefined where no model server reported it. */
export interface ContextFigures {
  readonly context: number | undefined;
  readonly window: number | undefined;
  /** The running turn uses a model that no stored turn used, so its window is not known yet. */
  readonly isNewModel: boolean;
}

/** Returns the context of the running turn once one of its model calls ended, else of the last turn that reported any. */
export function contextOf(
  turns: readonly Pick<StoredTurn, "model" | "context_tokens" | "context_window">[],
  usage: TurnUsage | undefined,
): ContextFigures {
  if (usage !== undefined) {
    const same = turns.findLast(({ model }) => model === usage.model);
    return { context: usage.context, window: same?.context_window ?? undefined, isNewModel: same === undefined };
  }
  const last = turns.findLast(({ context_tokens }) => context_tokens !== null);
  return {
    context: last?.context_tokens ?? undefined,
    window: last?.context_window ?? undefined,
    isNewModel: false,
  };
}
