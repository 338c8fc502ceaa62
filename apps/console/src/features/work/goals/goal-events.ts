import { type GoalEvent, tamperedFile } from "../../../goal/index.ts";
import type { WorkState } from "../../../ui/index.ts";

interface Badge {
  readonly state: WorkState;
  readonly label: string;
}

const KINDS: { readonly [Kind in GoalEvent["kind"]]: Badge } = {
  set: { state: "queued", label: "Set" },
  drive: { state: "working", label: "Worked on" },
  verdict: { state: "canceled", label: "Not met" },
  verification_failed: { state: "failed", label: "Check failed" },
  turn_failed: { state: "failed", label: "Turn failed" },
  round_cap: { state: "waiting", label: "Tool rounds used up" },
  plan: { state: "queued", label: "Planned" },
  abandoned: { state: "failed", label: "Agent gives up" },
  paused: { state: "waiting", label: "Paused" },
  resumed: { state: "queued", label: "Resumed" },
  extended: { state: "queued", label: "Extended" },
  rearmed: { state: "queued", label: "Rearmed" },
  ended: { state: "failed", label: "Ended" },
};

const ENDS: { readonly [Status in NonNullable<GoalEvent["status"]>]?: string } = {
  ...{ met: "Met", exhausted: "Exhausted", unachievable: "Given up" },
};

/** What an event of a goal's timeline was. */
export function eventBadge({
  kind,
  met,
  status,
  reason,
}: Pick<GoalEvent, "kind" | "met" | "status" | "reason">): Badge {
  if (kind === "verdict") {
    if (tamperedFile(reason) !== undefined) return { state: "failed", label: "Tampered" };
    return met === true ? { state: "completed", label: "Found met" } : KINDS.verdict;
  }
  if (kind !== "ended" || status === null) return KINDS[kind];
  return { state: status === "met" ? "completed" : "failed", label: ENDS[status] ?? KINDS.ended.label };
}
