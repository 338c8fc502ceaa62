import type { TaskEvent, TaskEventKind } from "../event/index.ts";

/** Events that end a task (EN3). */
const END_KINDS = ["task.completed", "task.failed", "task.canceled"] as const satisfies readonly TaskEventKind[];

/**
 * Events that leave a task ended or waiting for a person: told at once, in the place of whatever is older (W2).
 */
export const URGENT_KINDS = [
  "task.parked",
  "prompt.rejected",
  ...END_KINDS,
] as const satisfies readonly TaskEventKind[];

/** Events that webhooks tell: the first `working`, each step of a tool, and every change of state. */
export const TOLD_KINDS = [
  "task.accepted",
  "tool.started",
  "tool.finished",
  "prompt.answered",
  ...URGENT_KINDS,
] as const satisfies readonly TaskEventKind[];

const ENDS: ReadonlySet<string> = new Set(END_KINDS);
const URGENT: ReadonlySet<string> = new Set(URGENT_KINDS);
const TOLD: ReadonlySet<string> = new Set(TOLD_KINDS);

/** How an event is told: at once, as progress (in its time, unless there is news by then), or not at all. */
export function urgencyOf(event: TaskEvent): "now" | "progress" | undefined {
  if (URGENT.has(event.kind)) return "now";
  return TOLD.has(event.kind) ? "progress" : undefined;
}

/** Whether nothing is told after it. */
export function endsTelling(event: TaskEvent): boolean {
  return ENDS.has(event.kind);
}
