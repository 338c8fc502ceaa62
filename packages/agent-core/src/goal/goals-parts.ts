import type { Clock } from "../clock/index.ts";
import type { Database } from "../database/index.ts";
import type { Journal } from "../journal/index.ts";
import type { TaskService } from "../task/index.ts";
import type { Toolbox } from "../tool/index.ts";
import type { Verifiers } from "../verifier/index.ts";
import type { Goal } from "./goal.ts";
import type { GoalChecks } from "./goal-checks.ts";
import type { GoalSectionValue } from "./goal-section.ts";
import type { GoalStore } from "./goal-store.ts";
import type { HeldGoals } from "./held-goals.ts";
import type { SessionTurns } from "./session-turns.ts";

/** What is published of goals, after the commits. */
export interface GoalEvents {
  changed(goal: Goal, action: "set" | "changed" | "removed"): void;
  /** A verdict, and the agent goes on or pauses. */
  iteration(goal: Goal): void;
  roundCap(goal: Goal, task: string): void;
  ended(goal: Goal, reason: string): void;
}

export interface GoalsParts {
  readonly db: Database;
  readonly journal: Journal;
  readonly service: Pick<TaskService, "start" | "get" | "cancel" | "notify">;
  readonly clock: Clock;
  readonly log: { warn(message: string): void };
  readonly toolbox: () => Toolbox;
  readonly newId: () => string;
  readonly store: GoalStore;
  readonly held: HeldGoals;
  readonly checks: GoalChecks;
  readonly turns: SessionTurns;
  readonly verifiers: Verifiers;
  /** Read at each use. */
  readonly settings: () => GoalSectionValue;
  /** Whether a wait, a scheduled job or a watch will start a turn in the session of a goal. */
  readonly handsOff: (goal: Goal) => boolean;
  readonly events: GoalEvents;
}
