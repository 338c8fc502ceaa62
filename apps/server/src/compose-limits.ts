/** What settings bound: how long turns run, and how long what they leave is kept. */
import type { Retention, TurnLimits } from "@agent-service/agent-core";
import type { ServerSettings } from "./sections/index.ts";

/** From document 3 `model`. */
export function limitsOf({ max_iterations, round_hard_cap }: ServerSettings["model"]): Partial<TurnLimits> {
  return { maxIterations: max_iterations, ...(round_hard_cap === undefined ? {} : { roundHardCap: round_hard_cap }) };
}

/** From document 3 `checkpoint` (ruling R14). */
export function retentionOf(checkpoint: ServerSettings["checkpoint"]): Retention {
  return {
    maxAgeDays: checkpoint.max_age_days,
    keepPerThread: checkpoint.keep_per_thread,
    conversationMaxAgeDays: checkpoint.conversation_max_age_days,
    harvest: checkpoint.harvest_enabled,
    pruneIntervalHours: checkpoint.prune_interval_hours,
  };
}
