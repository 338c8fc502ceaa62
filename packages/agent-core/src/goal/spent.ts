import type { TaskView } from "../event/index.ts";
import type { GoalState } from "./goal.ts";

/** What a task cost: tokens read and written, and US dollars, null where a price is not known. */
export interface Spent {
  readonly tokens: number;
  readonly usd: number | null;
}

export function spentBy({ usage, costUsd, models }: Readonly<TaskView>): Spent {
  const usd = costUsd ?? (models.length === 0 ? 0 : null);
  return { tokens: usage.input + usage.output, usd };
}

/** The account of a goal with what a task of it cost. */
export function withSpent<S extends Pick<GoalState, "tokens" | "usd">>(state: S, { tokens, usd }: Spent): S {
  const sum = state.usd === null || usd === null ? null : Math.round((state.usd + usd) * 1e9) / 1e9;
  return { ...state, tokens: state.tokens + tokens, usd: sum };
}
