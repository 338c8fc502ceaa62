/** The engine's bounds and retention, from settings, and smaller ones for tests. */
import type { AgentCoreOptions, Retention, TurnBounds, TurnLimits } from "@agent-service/agent-core/host";
import { derive, type ServerSettings } from "../settings/index.ts";

/** Bounds of an engine; each has its default unless given. */
export interface EngineBounds {
  /** Bytes of running and waiting tasks beyond which new ones are refused (EN10). */
  readonly maxHeldBytes?: number;
  /** Turns in progress at a time, those that wait for their model included. */
  readonly maxBegunTurns?: number;
}

/** The engine's bounds; settings are read at each use. */
export function engineBounds(
  settings: ServerSettings,
  { maxHeldBytes, maxBegunTurns }: EngineBounds,
): Pick<AgentCoreOptions, "limits" | "turns" | "retention" | "maxHeldBytes"> {
  const turns = ({ max_running_turns, max_queued_turns }: ServerSettings["limits"]): Partial<TurnBounds> => ({
    maxRunning: max_running_turns,
    maxQueued: max_queued_turns,
    ...(maxBegunTurns === undefined ? {} : { maxBegun: maxBegunTurns }),
  });
  return {
    limits: derive(() => [settings.model], limitsOf),
    turns: derive(() => [settings.limits], turns),
    retention: derive(() => [settings.checkpoint], retentionOf),
    ...(maxHeldBytes === undefined ? {} : { maxHeldBytes }),
  };
}

/** From B52 `model`. */
function limitsOf({ max_iterations, round_hard_cap }: ServerSettings["model"]): Partial<TurnLimits> {
  return { maxIterations: max_iterations, ...(round_hard_cap === undefined ? {} : { roundHardCap: round_hard_cap }) };
}

/** From B66 `checkpoint` (R14). */
function retentionOf(checkpoint: ServerSettings["checkpoint"]): Retention {
  return {
    maxAgeDays: checkpoint.max_age_days,
    keepPerThread: checkpoint.keep_per_thread,
    conversationMaxAgeDays: checkpoint.conversation_max_age_days,
    harvest: checkpoint.harvest_enabled,
    pruneIntervalHours: checkpoint.prune_interval_hours,
  };
}
