/** Goals in words, for the chat and for the screen of goals. */
import type { AnswerOf, OperatorDefinition } from "@agent-service/operator-api/client";
import { startOf, type WorkState } from "../ui/index.ts";

type Answer<Name extends string> = AnswerOf<Extract<OperatorDefinition, { readonly name: Name }>>;

/** A goal as the service lists it. */
export type Goal = Answer<"goals.list">["goals"][number];
export type GoalEvent = Answer<"goals.timeline">["events"][number];
type Pause = NonNullable<Goal["paused"]>;

/** Why a goal is paused, and what makes it go on. */
const PAUSES: { readonly [Why in Pause]: { readonly why: string; readonly next: string } } = {
  kick: { why: "It was set without beginning", next: "Resume begins." },
  round_cap: { why: "A turn reached its number of tool rounds", next: "Your next message goes on, or Resume." },
  handed_off: {
    why: "The agent left it to a wait, a schedule or a watch",
    next: "It goes on once that fires, or with Resume.",
  },
  turn_failed: { why: "A turn failed, and is not tried again", next: "Resume begins another turn." },
  verifier_failed: { why: "The check failed, and is not tried again", next: "Resume checks once more." },
  interrupted: { why: "Restarts interrupted it again and again", next: "Resume begins another turn." },
  canceled: { why: "It was stopped", next: "Your next message goes on, or Resume." },
  off: { why: "Goals were switched off", next: "Resume goes on, once they are switched on." },
};

/** Pauses that no person asked for. */
const FAILED: readonly Pause[] = ["turn_failed", "verifier_failed", "interrupted"];

export function pauseOf({ paused }: Pick<Goal, "paused">): (typeof PAUSES)[Pause] | undefined {
  return paused === null ? undefined : PAUSES[paused];
}

interface Badge {
  readonly state: WorkState;
  readonly label: string;
}

/** How a goal stands. */
export function goalBadge({
  status,
  phase,
  paused,
  retry_at,
}: Pick<Goal, "status" | "phase" | "paused" | "retry_at">): Badge {
  if (status === "met") return { state: "completed", label: "Met" };
  if (status === "exhausted") return { state: "failed", label: "Exhausted" };
  if (status === "unachievable") return { state: "failed", label: "Given up" };
  if (retry_at !== null) return { state: "failed", label: "Failing" };
  if (paused === null) return { state: "working", label: phase === "verifying" ? "Checking" : "Working" };
  if (FAILED.includes(paused)) return { state: "failed", label: "Paused, failed" };
  if (paused === "off" || paused === "canceled") return { state: "canceled", label: "Paused" };
  return paused === "handed_off" ? { state: "queued", label: "Handed off" } : { state: "waiting", label: "Paused" };
}

/** Its phase in a sentence: what happens now, or why nothing does and what makes it go on. */
export function standing(goal: Goal): string {
  const { status, phase, retry_at, iteration } = goal;
  if (status === "met") return "Its check found it met.";
  if (status === "exhausted") return `${times(iteration)} a check found it not met. Rearm it to go on.`;
  if (status === "unachievable") {
    return `${whyGivenUp(goal).replace(/[^.]$/, "$&.")} Rearm it to go on.`;
  }
  if (retry_at !== null) return `What failed is tried again: ${startOf(retry_at, false)}.`;
  const pause = pauseOf(goal);
  if (pause !== undefined) return `${pause.why}. ${pause.next}`;
  return phase === "verifying" ? "A check looks whether it is met." : "The agent works on it.";
}

function whyGivenUp({ abandon_reason: why, no_progress_streak: streak, no_progress_limit: most }: Goal): string {
  if (why !== "") return `The agent gave up: ${why}`;
  return streak >= most ? "Its checks found no progress" : "What it was to be given up for has come";
}

function times(count: number): string {
  return count === 1 ? "Once" : `${count} times`;
}

const TAMPERED = /^tampered: ?/;

/** The pinned file that is not what it was when the check was set; undefined: no verdict says so. */
export function tamperedFile(reason: string): string | undefined {
  return TAMPERED.test(reason) ? reason.replace(TAMPERED, "") : undefined;
}

/** `2 of 8`: verdicts, of those that it may take. */
export function progressOf({ iteration, max_iterations: most }: Pick<Goal, "iteration" | "max_iterations">): string {
  return `${iteration} of ${most}`;
}
