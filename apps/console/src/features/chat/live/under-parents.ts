import type { Step } from "./live-turn.ts";

/** The steps with the calls that a call made, such as a script's, right behind it, in the order they came. */
export function underParents(steps: readonly Step[]): readonly Step[] {
  const parentOf = (step: Step): string | undefined => (step.kind === "tool" ? step.parent : undefined);
  if (steps.every((step) => parentOf(step) === undefined)) return steps;
  const calls = new Set(steps.flatMap((step) => (step.kind === "tool" ? [step.id] : [])));
  const inside = Map.groupBy(steps, (step) => {
    const parent = parentOf(step);
    return parent !== undefined && calls.has(parent) ? parent : undefined;
  });
  return (inside.get(undefined) ?? []).flatMap((step) => [step, ...(inside.get(step.id) ?? [])]);
}
