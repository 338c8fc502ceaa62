import { dollars, duration, tokens } from "../ui/index.ts";
import type { Scale } from "./scale.ts";
import { elapsed } from "./scale.ts";
import type { Step } from "./step.ts";

/** Texts for states that a bar alone does not show. */
const STATES: Readonly<Record<Step["state"], string>> = {
  running: "working",
  waiting: "waiting for you",
  done: "",
  failed: "failed",
  interrupted: "interrupted",
};

/** Milliseconds a step waited for a person. */
function waitedMs(step: Step): number {
  return step.waits.reduce((sum, { begin, end }) => sum + end - begin, 0);
}

/** A step's figures in short, for the end of its row: `1.9K → 210 tok`, `38 ms`, `failed`. */
export function figuresOf(step: Step): readonly string[] {
  const waited = waitedMs(step);
  const worked = step.ms ?? step.end - step.begin - waited;
  const note = step.note === "" ? STATES[step.state] : step.note;
  return [
    step.usage !== null && `${tokens(step.usage.input_tokens)} → ${tokens(step.usage.output_tokens)} tok`,
    step.kind !== "moment" && step.kind !== "model" && (worked >= 1 || waited === 0) && duration(worked),
    waited > 0 && `waited ${duration(waited)}`,
    note,
  ].filter((part): part is string => typeof part === "string" && part !== "");
}

/** All of a step's figures, for hovering. */
export function summaryOf(step: Step, scale: Scale): string {
  const { usage } = step;
  const cached =
    usage !== null && usage.cache_read_tokens > 0 ? `${tokens(usage.cache_read_tokens)} read from the cache` : "";
  return [
    step.label,
    `from ${elapsed(step.begin - scale.begin)}`,
    ...(step.kind === "moment" ? [] : [`for ${duration(step.end - step.begin)}`]),
    ...figuresOf(step),
    cached,
    usage === null ? "" : step.costUsd === null ? "cost unknown" : dollars(step.costUsd),
  ]
    .filter(Boolean)
    .join(" · ");
}
