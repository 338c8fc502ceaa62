import type { Database, Statement } from "../database/index.ts";
import type { TaskState, TaskView } from "../event/index.ts";
import type { TaskEnding } from "../journal/index.ts";
import { INTERRUPTED } from "../task/index.ts";
import type { Toolbox } from "../tool/index.ts";
import { hadEffects } from "../trigger/index.ts";
import type { HeldJob, HeldJobs } from "./held-jobs.ts";
import type { AttemptKey, Ledger } from "./ledger.ts";
import type { SlotRun, SlotState } from "./scheduled-job.ts";

/** Milliseconds before each further attempt of a slot whose turn failed. */
const RETRY_MS = [60_000, 240_000, 960_000] as const;
/** Attempts of a slot that restarts may interrupt. */
const MOST_INTERRUPTED = 3;
const REASON_CHARS = 300;

/** How a run ended. */
export interface RunOutcome {
  readonly state: SlotState;
  readonly reason: string | undefined;
  readonly task?: string | undefined;
  /** It was begun by another service, which does not say what it has done: it is not tried again (G5). */
  readonly mayHaveActed?: boolean | undefined;
}

/** How a run ended, from its task; undefined: that was deleted. */
export function outcomeOf(view: Readonly<TaskView> | undefined, redact: (text: string) => string): RunOutcome {
  if (view === undefined) return { state: "canceled", reason: "its turn was deleted" };
  const { state, failure } = view;
  if (state === "completed" || state === "canceled") return { state, reason: undefined };
  if (failure?.code === INTERRUPTED.code) return { state: "interrupted", reason: undefined };
  const reason = redact(failure?.message ?? "the turn failed")
    .slice(0, REASON_CHARS)
    .toWellFormed();
  return { state: "failed", reason };
}

/**
 * When a slot is tried again (epoch milliseconds), after an attempt ended without success; `had effects` where that attempt may
 * have done something that must not be done twice; undefined: not. @throws DatabaseError
 */
export async function againAt(
  { job, next }: Pick<HeldJob, "job" | "next">,
  { attempt, state, task }: Pick<SlotRun, "attempt" | "state" | "task">,
  { now, db, toolbox }: { readonly now: number; readonly db: Database; readonly toolbox: () => Toolbox },
): Promise<number | "had effects" | undefined> {
  if (state !== "failed" && state !== "interrupted") return undefined;
  const failed = state === "failed";
  if (attempt >= (failed ? job.retries + 1 : MOST_INTERRUPTED)) return undefined;
  const at = now + (failed ? RETRY_MS[Math.min(attempt, RETRY_MS.length) - 1]! : 0);
  if (failed && next !== undefined && at >= next) return undefined;
  return task !== undefined && (await hadEffects(db, task, toolbox())) ? "had effects" : at;
}

export interface RunEndingParts {
  readonly clock: { now(): number };
  readonly ledger: Pick<Ledger, "end">;
  readonly jobs: Pick<HeldJobs, "get">;
}

/**
 * Ends an attempt in the commit that ends its turn, where nothing follows from that end: the turn was completed, and no slot of
 * its job had failed before. Any other end is a commit of its own, after the turn's, and so is what a former process left.
 */
export class RunEnding implements TaskEnding {
  readonly #parts: RunEndingParts;
  readonly #key: AttemptKey;
  #endedAt: number | undefined;

  constructor(parts: RunEndingParts, key: AttemptKey) {
    this.#parts = parts;
    this.#key = key;
  }

  /** When the attempt ended, where that became durable with its turn, which has ended; epoch milliseconds. */
  get endedAt(): number | undefined {
    return this.#endedAt;
  }

  statements(state: TaskState): readonly Statement[] {
    const { clock, ledger, jobs } = this.#parts;
    this.#endedAt = undefined;
    if (state !== "completed" || (jobs.get(this.#key.job)?.job.failures ?? 0) > 0) return [];
    this.#endedAt = clock.now();
    return [ledger.end(this.#key, { state, reason: undefined, at: this.#endedAt })];
  }
}
