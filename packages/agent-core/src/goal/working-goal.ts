import { type WorkingPart, workingLine } from "../working-state/index.ts";
import type { Goal } from "./goal.ts";

const CHARS = 1_500;

/** The active goal of a conversation as its turns are shown it (G26). What a check found is not among it. */
export function workingGoal({ spec, state, plan }: Goal): WorkingPart {
  const paused = state.paused === undefined ? "" : ` (paused: ${state.paused})`;
  return {
    kind: "goal",
    rows: [
      { text: `${workingLine(spec.condition, CHARS)}${paused}`, outside: spec.outside },
      ...(plan === "" ? [] : [{ text: `Plan: ${workingLine(plan, CHARS)}`, outside: state.planOutside }]),
    ],
  };
}
