import { type TimelineSource, timeOf } from "./journal.ts";
import { readSteps } from "./read-steps.ts";
import { busySpans, createScale, type Scale } from "./scale.ts";
import type { Step } from "./step.ts";

/** The steps of a task with their axis. */
export interface TimelineData {
  readonly steps: readonly Step[];
  readonly scale: Scale;
  /** The journal continues after the steps. */
  readonly more: boolean;
}

/** Builds the timeline of a task and of what it delegated. `now`: epoch milliseconds, the end of running steps. */
export function timelineOf(source: TimelineSource, now: number): TimelineData {
  const steps = readSteps(source, now);
  const [first] = source.events;
  const begin = Math.min(first === undefined ? now : timeOf(first), ...steps.slice(0, 1).map((step) => step.begin));
  const end = latestOf(steps, begin);
  return { steps, scale: createScale({ begin, end }, busySpans(steps)), more: source.more ?? false };
}

function latestOf(steps: readonly Step[], least: number): number {
  let latest = least;
  for (const step of steps) {
    latest = Math.max(latest, step.end);
    for (const branch of step.branches) latest = latestOf(branch.steps, latest);
  }
  return latest;
}
