import type { TaskOrigin, TaskState } from "../event/index.ts";
import { OPERATOR_CLASS } from "../share/index.ts";

/** The conversation of work that started in no other conversation (B39). */
export const ACTIVITY_CONTEXT = "system:activity";

/** Starts turns by itself, wherever they run. */
const BY_ITSELF: ReadonlySet<TaskOrigin> = new Set<TaskOrigin>(["schedule", "watch", "inbox"]);

/**
 * Whether the activity feed shows a task: the operator's alone, as everything of theirs (A16). A goal's turns are in its timeline;
 * the notice that it has ended is here too (G27).
 */
export function isActivity(task: {
  readonly class: string;
  readonly context: string;
  readonly origin: TaskOrigin;
  /** A message without a turn. */
  readonly isNotice?: boolean;
}): boolean {
  const isShown = task.context === ACTIVITY_CONTEXT || BY_ITSELF.has(task.origin) || task.isNotice === true;
  if (!isShown) return false;
  return task.class === OPERATOR_CLASS;
}

/** An origin by its name in the feed (B39). */
export function feedOrigin(origin: TaskOrigin): string {
  switch (origin) {
    case "schedule":
      return "scheduler";
    case "chat":
    case "v1":
    case "embed":
      return "operator";
    default:
      return origin;
  }
}

/** A state by its name in the feed. */
export type FeedState = "working" | "input-required" | "completed" | "failed" | "canceled";

/** A state by its A2A name (A5). */
export function feedState(state: TaskState): FeedState {
  if (state === "queued" || state === "running") return "working";
  return state === "parked" ? "input-required" : state;
}
