/** A condition that the agent works towards by itself until a check says that it holds (G12 to G17). Times are epoch milliseconds. */
import type { PreparedCheck } from "../verifier/index.ts";

/** Bounds of what a goal holds, and of goals. */
export const GOAL_LIMITS = Object.freeze({
  condition: 4_000,
  outcome: 4_000,
  stopWhen: 2_000,
  items: 20,
  item: 1_000,
  /** Bytes. */
  plan: 32 * 1024,
  abandon: 1_000,
  iterations: 1_000,
  noProgress: 100,
  active: 500,
  ofAgent: 100,
  /** Events of a timeline that are kept. */
  events: 500,
  /** Checks that run at a time. */
  checks: 4,
  /** Attempts of a drive or a check that restarts may interrupt (TR3). */
  attempts: 3,
});

/** Milliseconds until what failed is tried again: the first, the second and the third time. */
export const RETRIES_MS: readonly number[] = Object.freeze([30_000, 60_000, 120_000]);

export const GOAL_STATUSES = ["active", "met", "exhausted", "unachievable"] as const;
export type GoalStatus = (typeof GOAL_STATUSES)[number];

/**
 * Why an active goal is not driven.
 * - `kick`: it was set without beginning.
 * - `round_cap`: a drive reached its number of tool rounds.
 * - `handed_off`: a wait, a one-shot or a watch of the session takes it up.
 * - `turn_failed`, `verifier_failed`: again and again, or after effects that may not be repeated.
 * - `interrupted`: restarts ended what ran three times in a row.
 * - `canceled`: a person canceled what ran.
 * - `off`: goals are switched off.
 */
export type GoalPause =
  | "kick"
  | "round_cap"
  | "handed_off"
  | "turn_failed"
  | "verifier_failed"
  | "interrupted"
  | "canceled"
  | "off";

/** What is to hold, and within which bounds. */
export interface GoalSpec {
  readonly condition: string;
  readonly check: PreparedCheck;
  /** What the result looks like; blank for nothing. */
  readonly outcome: string;
  readonly constraints: readonly string[];
  readonly boundaries: readonly string[];
  /** When to give up, which a judge decides; blank for never. */
  readonly stopWhen: string;
  /** A drive is shown the answer before it, not the conversation. */
  readonly fresh: boolean;
  readonly noProgressLimit: number;
  readonly createdBy: "operator" | "chat" | "agent";
  /** Its text was written in a conversation with content from outside. */
  readonly outside: boolean;
  /** The call or request that set it: repeated, it is the same goal. */
  readonly originCall: string | undefined;
}

/** What happened to it so far. */
export interface GoalState {
  readonly maxIterations: number;
  /** Verdicts since it was set or rearmed. */
  readonly iteration: number;
  /** Equal verdicts in a row, and what they have in common. */
  readonly streak: number;
  readonly signature: string;
  readonly lastReason: string;
  readonly lastEvidence: string;
  readonly paused: GoalPause | undefined;
  /** The turn that works on it. */
  readonly drive: string | undefined;
  /** The task that checks it. */
  readonly verify: string | undefined;
  /** What comes when nothing of it is open. */
  readonly next: "drive" | "verify";
  /** When that comes, after a failure. */
  readonly retryAt: number | undefined;
  /** Failures in a row of what comes next. */
  readonly failures: number;
  /** Attempts of what is open that restarts interrupted, it included. */
  readonly attempt: number;
  /** Why the agent gives up; it counts once its turn has ended. */
  readonly abandon: string | undefined;
  /** The last turn of the session that was checked, or is being checked. */
  readonly turn: EndedTurn | undefined;
  readonly planOutside: boolean;
  readonly tokens: number;
  /** US dollars; null: a price was not known. */
  readonly usd: number | null;
  /** The request that rearmed it last. */
  readonly rearmedBy: string | undefined;
}

/** A turn of the session that has ended. */
export interface EndedTurn {
  readonly task: string;
  readonly at: number;
  /** It was a drive of the goal. */
  readonly isDrive: boolean;
  /** It reached its number of tool rounds. */
  readonly capped: boolean;
  /** What it cost, where it was a drive: tokens, and US dollars where prices are known. */
  readonly spent?: { readonly tokens: number; readonly usd: number | null };
}

/** A session's goal: `spec` says what is to hold and stays; `state` is what happened to it so far. */
export interface Goal {
  readonly id: string;
  readonly class: string;
  /** The session. */
  readonly context: string;
  readonly spec: GoalSpec;
  readonly state: GoalState;
  readonly plan: string;
  readonly status: GoalStatus;
  readonly createdAt: number;
  readonly finishedAt: number | undefined;
}

/** Counters at zero, nothing open. */
export const UNDRIVEN: Omit<GoalState, "maxIterations"> = Object.freeze({
  ...{ iteration: 0, streak: 0, signature: "", lastReason: "", lastEvidence: "" },
  ...{ paused: undefined, drive: undefined, verify: undefined, next: "drive" as const, retryAt: undefined },
  ...{ failures: 0, attempt: 0, abandon: undefined, turn: undefined, planOutside: false, tokens: 0, usd: 0 },
  rearmedBy: undefined,
});

export type GoalPhase = "driving" | "verifying" | "paused" | "ended";

/** What happens to it now; `paused` is said of active goals alone. */
export function phaseOf({ status, state }: Goal): GoalPhase {
  if (status !== "active") return "ended";
  if (state.verify !== undefined) return "verifying";
  return state.paused === undefined ? "driving" : "paused";
}

/** What a timeline holds. */
export type GoalEventKind =
  | "set"
  | "drive"
  | "verdict"
  | "verification_failed"
  | "turn_failed"
  | "round_cap"
  | "plan"
  | "abandoned"
  | "paused"
  | "resumed"
  | "extended"
  | "rearmed"
  | "ended";

export interface GoalEventBody {
  readonly task?: string | undefined;
  readonly iteration?: number;
  readonly met?: boolean;
  readonly status?: GoalStatus | "continue";
  readonly reason?: string;
  readonly evidence?: string;
  readonly text?: string;
  readonly usd?: number | null;
  readonly tokens?: number;
}

/** An event to be added. */
export interface NewGoalEvent extends GoalEventBody {
  readonly kind: GoalEventKind;
}

/** An event of a goal's timeline. */
export interface GoalEvent extends NewGoalEvent {
  readonly no: number;
  readonly at: number;
}
