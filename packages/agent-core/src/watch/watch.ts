/** A condition that is checked again and again (G18). Times are epoch milliseconds. */
import type { CheckVerdict, PreparedCheck } from "../verifier/index.ts";

/** Bounds of what a watch holds, and of watches. */
export const WATCH_LIMITS = Object.freeze({
  condition: 2_000,
  prompt: 32_768,
  active: 500,
  ofAgent: 100,
  fires: 200,
  reactionsAnHour: 12,
  /** Fires without two quiet checks between any of them, from which on a watch is flapping. */
  flapping: 5,
  /** Failing checks in a row after which that is published. */
  failing: 5,
});

export const WATCH_STATUSES = ["active", "met", "expired"] as const;
export type WatchStatus = (typeof WATCH_STATUSES)[number];
export const FIRE_KINDS = ["met", "change", "expired", "stalled"] as const;
export type FireKind = (typeof FIRE_KINDS)[number];

/** What it watches and what happens then. */
export interface WatchSpec {
  readonly condition: string;
  readonly check: PreparedCheck;
  /** Seconds; it only slows. */
  readonly intervalS: number | undefined;
  readonly expiresInS: number | undefined;
  readonly deadline: number | undefined;
  readonly stallAfter: number | undefined;
  /** Whether it fires when the condition becomes true, or whenever what is looked at changes. */
  readonly trigger: "met" | "change";
  readonly repeat: boolean;
  /** The prompt of its reactions; undefined: a message without a model. */
  readonly runPrompt: string | undefined;
  /** Its text was written in a conversation with content from outside. */
  readonly outside: boolean;
  readonly createdBy: string;
  readonly originCall: string | undefined;
}

/** What its checks left. Counters of checks may be lost to a kill; edges and fires are not. */
export interface WatchState {
  readonly wasMet: boolean;
  /** Stands for what was looked at; undefined: it was not looked at yet. */
  readonly digest: string | undefined;
  readonly checkCount: number;
  readonly fireCount: number;
  readonly consecutiveFires: number;
  /** Checks since the last fire that brought nothing new. */
  readonly quietChecks: number;
  readonly flapping: boolean;
  /** Fires that no reaction followed, because there were too many. */
  readonly suppressed: number;
  /** Checks in a row that came to no verdict. */
  readonly errors: number;
  readonly lastChecked: number | undefined;
  readonly lastReason: string | undefined;
  readonly lastEvidence: string | undefined;
  readonly stallStreak: number;
  readonly stalled: boolean;
  /** The task of its open reaction. */
  readonly reaction: string | undefined;
  /** Which attempt that is. */
  readonly attempt: number;
  /** Fires that wait for a reaction. */
  readonly pending: number;
}

/** A watch as it is stored. */
export interface Watch extends WatchSpec {
  readonly id: string;
  readonly class: string;
  /** The conversation of its reactions. */
  readonly context: string;
  readonly status: WatchStatus;
  readonly state: WatchState;
  readonly createdAt: number;
  readonly finishedAt: number | undefined;
}

/** When a watch fired, and what followed. */
export interface WatchFire {
  readonly no: number;
  readonly at: number;
  readonly kind: FireKind;
  readonly task: string | undefined;
  readonly reason: string;
  readonly evidence: string;
}

/** The state of a watch that was not checked yet. */
export const UNCHECKED: WatchState = Object.freeze({
  ...{ wasMet: false, digest: undefined, checkCount: 0, fireCount: 0, consecutiveFires: 0, quietChecks: 0 },
  ...{ flapping: false, suppressed: 0, errors: 0, lastChecked: undefined, lastReason: undefined },
  ...{ lastEvidence: undefined, stallStreak: 0, stalled: false, reaction: undefined, attempt: 0, pending: 0 },
});

/** What a check changed, and what follows. */
export interface Observation {
  readonly state: WatchState;
  readonly fires: boolean;
  /** It has not changed for as many checks as it was to be reported after. */
  readonly stalls: boolean;
  /** There is something to store: without it a kill would lose more than a counter. */
  readonly isNews: boolean;
}

/** What a verdict means for a watch. Pure. */
export function observe({ trigger, stallAfter, state }: Watch, verdict: CheckVerdict, now: number): Observation {
  const isFirst = state.digest === undefined;
  const changed = !isFirst && state.digest !== verdict.digest;
  const fires = trigger === "met" ? verdict.met && !state.wasMet : changed;
  const isSame = !isFirst && !changed && !fires;
  const stallStreak = isSame ? state.stallStreak + 1 : 0;
  const stalls = stallAfter !== undefined && isSame && !state.stalled && stallStreak >= stallAfter;
  const stalled = isSame && (state.stalled || stalls);
  const quietChecks = fires ? 0 : state.quietChecks + 1;
  const consecutiveFires = fires ? state.consecutiveFires + 1 : quietChecks >= 2 ? 0 : state.consecutiveFires;
  const next: WatchState = {
    ...state,
    ...{ wasMet: verdict.met, digest: verdict.digest, checkCount: state.checkCount + 1, errors: 0 },
    ...{ fireCount: state.fireCount + (fires ? 1 : 0), consecutiveFires, quietChecks },
    flapping: consecutiveFires >= WATCH_LIMITS.flapping,
    ...{ lastChecked: now, lastReason: verdict.reason, lastEvidence: verdict.evidence, stallStreak, stalled },
  };
  const isNews =
    fires ||
    next.wasMet !== state.wasMet ||
    next.stalled !== state.stalled ||
    next.flapping !== state.flapping ||
    (trigger === "change" && next.digest !== state.digest);
  return { state: next, fires, stalls, isNews };
}

/** Milliseconds until a watch is checked again: longer while its checks fail. */
export function pauseMs({ intervalS = 0, state }: Pick<Watch, "intervalS" | "state">, globalS: number): number {
  const seconds = Math.max(globalS, intervalS, 5);
  return seconds * 1_000 * Math.min(10, 2 ** Math.min(state.errors, 4));
}
