/** What becomes of a drive or a check that did not come to its end (G5, G7, G15). */
import { GOAL_LIMITS, type GoalPause, type GoalState, RETRIES_MS } from "./goal.ts";

export type Retry =
  | { readonly kind: "pause"; readonly pause: GoalPause; readonly why?: string }
  /** Again at once: a restart ended it. `attempt` counts it. */
  | { readonly kind: "again"; readonly attempt: number }
  | { readonly kind: "later"; readonly waitMs: number };

/** `failed`: why the goal pauses where it fails again and again; `hadEffects`: it may not be repeated. */
export function retryOf(
  { attempt: before, failures }: Pick<GoalState, "attempt" | "failures">,
  {
    interrupted,
    failed,
    hadEffects,
  }: { readonly interrupted: boolean; readonly failed: GoalPause; readonly hadEffects: boolean },
): Retry {
  const pause = interrupted ? "interrupted" : failed;
  if (hadEffects) return { kind: "pause", pause, why: "it had effects" };
  if (interrupted) {
    const attempt = Math.max(before, 1) + 1;
    return attempt > GOAL_LIMITS.attempts ? { kind: "pause", pause } : { kind: "again", attempt };
  }
  const waitMs = RETRIES_MS[failures];
  return waitMs === undefined ? { kind: "pause", pause } : { kind: "later", waitMs };
}
