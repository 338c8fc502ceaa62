import type { AnswerOf, OperatorDefinition } from "@agent-service/operator-api/client";
import { startOf, type WorkState } from "../../../ui/index.ts";

/** A scheduled job as the service lists it. */
export type ScheduledJob = AnswerOf<Extract<OperatorDefinition, { readonly name: "scheduler.list" }>>["jobs"][number];
export type SlotRun = NonNullable<ScheduledJob["last_run"]>;

interface Badge {
  readonly state: WorkState;
  readonly label: string;
}

const STATES: { readonly [S in SlotRun["state"]]: Badge } = {
  running: { state: "working", label: "Running" },
  completed: { state: "completed", label: "Completed" },
  failed: { state: "failed", label: "Failed" },
  interrupted: { state: "failed", label: "Interrupted" },
  unconfirmed: { state: "failed", label: "Not confirmed" },
  skipped: { state: "canceled", label: "Skipped" },
  missed: { state: "failed", label: "Missed" },
  canceled: { state: "canceled", label: "Canceled" },
};

/** When a job runs, in words: the times of a pattern are those of its zone, which may not be the reader's. */
export function whenOf({ words, kind, timezone }: Pick<ScheduledJob, "words" | "kind" | "timezone">): string {
  return kind === "cron" ? `${words} (${timezone})` : words;
}

/** What became of a slot. */
export function runBadge({ state, started_at }: Pick<SlotRun, "state" | "started_at">): Badge {
  return state === "running" && started_at === null ? { state: "queued", label: "Waits" } : STATES[state];
}

const REASONS: Readonly<Record<string, string>> = {
  overlap: "Another run was open",
  "nothing to do": "Its check found nothing to do",
  off: "It was switched off",
  "had effects": "Not tried again: it had changed something already",
  deleted: "The schedule was deleted",
};

/** Why, in a sentence; undefined where nothing has to be said. */
export function runReason({ state, reason, upto, missed }: SlotRun): string | undefined {
  const why = reason === null ? undefined : (REASONS[reason] ?? reason);
  if (state !== "missed") return why;
  const times = missed === 1000 ? "At least 1,000 times" : missed === 1 ? "Once" : `${missed} times`;
  const until = upto === null || missed === 1 ? "" : `, until ${startOf(upto, false)}`;
  return `${times}${until}. ${why ?? "The service was not running"}.`;
}

/** What keeps a job from running, or how it stands. */
export function jobBadge({ enabled, pause_reason, overdue, kind, last_run }: ScheduledJob): Badge {
  if (overdue) return { state: "waiting", label: "Takes long" };
  if (last_run !== null && last_run.state === "running") return runBadge(last_run);
  if (pause_reason !== null) return { state: "failed", label: "Paused: it fails" };
  if (enabled) return { state: "queued", label: "On" };
  return kind === "once" && last_run !== null
    ? { state: "completed", label: "Done" }
    : { state: "canceled", label: "Paused" };
}
