import type { TaskEvent, TaskEventKind } from "../event/index.ts";

/** Events that end a task (EN3). */
const END_KINDS = ["task.completed", "task.failed", "task.canceled"] as const satisfies readonly TaskEventKind[];

/**
 * Events that leave a task ended or waiting for a person: sent at once, in place of older ones that are still due (W2).
 */
export const URGENT_KINDS = [
  "task.parked",
  "prompt.rejected",
  ...END_KINDS,
] as const satisfies readonly TaskEventKind[];

/** Events that webhooks are notified of: the first `working`, each step of a tool, and every change of state. */
export const NOTIFIED_KINDS = [
  "task.accepted",
  "tool.started",
  "tool.finished",
  "prompt.answered",
  ...URGENT_KINDS,
] as const satisfies readonly TaskEventKind[];

const ENDS: ReadonlySet<string> = new Set(END_KINDS);
const URGENT: ReadonlySet<string> = new Set(URGENT_KINDS);
const NOTIFIED: ReadonlySet<string> = new Set(NOTIFIED_KINDS);

/** When a webhook is notified: at once, as progress (after a delay, unless a newer event replaces it), or not at all. */
export function urgencyOf(event: TaskEvent): "now" | "progress" | undefined {
  if (URGENT.has(event.kind)) return "now";
  return NOTIFIED.has(event.kind) ? "progress" : undefined;
}

/** Whether no notification follows the one of this event. */
export function endsNotifications(event: TaskEvent): boolean {
  return ENDS.has(event.kind);
}
