/** Commits of a turn: the carry goes along, a full or unreachable store is retried, a task that was lost ends the loop. */
import { sleep } from "../clock/index.ts";
import { DatabaseError, isStoreGone, isStoreUnavailable } from "../database/index.ts";
import { type Change, JournalError } from "../journal/index.ts";
import { DetachedError } from "./detached-error.ts";
import type { TurnDeps } from "./turn-deps.ts";
import { type CommittingTurn, type TurnStart, takeCarry } from "./turn-state.ts";

/** Milliseconds between attempts while the store cannot take writes. */
const RETRY_MS = 1_000;

/** Attempts to put a change behind appends that failed before the store is taken to disagree with memory. */
const MAX_RACES = 3;

/**
 * Commits the carry and then `change`, in one transaction. A store that is full or out of reach is retried until it
 * answers or the turn is aborted: an agent does not lose a step because a disk was full for a minute. What waits stays in
 * the carry meanwhile, for the commit that ends the task.
 * @throws DetachedError when another commit ended the task, the lease is lost or the turn is aborted
 * @throws DatabaseError when the store refuses the change itself
 */
export async function commitTurn(
  state: CommittingTurn,
  deps: Pick<TurnDeps, "journal" | "clock" | "log">,
  change: Change,
): Promise<void> {
  const { record } = state;
  for (let races = 0; ; ) {
    const carry = takeCarry(state);
    const whole: Change = {
      label: change.label,
      events: carry.events.length === 0 ? change.events : [...carry.events, ...change.events],
      statements: [...carry.statements, ...(change.statements ?? [])],
    };
    try {
      await deps.journal.append(record, whole);
      return;
    } catch (error) {
      state.carry = {
        events: [...carry.events, ...state.carry.events],
        statements: [...carry.statements, ...state.carry.statements],
      };
      if (error instanceof JournalError) throw new DetachedError(error.message);
      if (!(error instanceof DatabaseError)) throw error;
      if (isStoreGone(error)) throw new DetachedError(error.message);
      if (isStoreUnavailable(error)) {
        deps.log.warn(`task ${record.view.id}: the store cannot take "${change.label}" (${error.code}); trying again`);
        await sleep(deps.clock, RETRY_MS, state.signal).catch(() => {
          throw new DetachedError("aborted while the store could not take writes");
        });
        continue;
      }
      // An append in front of this one failed, a delta say, and took the numbers along (JO5); the task is still ours.
      if (error.code !== "expectation_failed" || ++races > MAX_RACES) throw error;
      while (record.inflight > 0) await new Promise<void>((resolve) => record.onChange(resolve));
      if (record.ended) throw new DetachedError("the task has ended");
    }
  }
}

/** @throws DetachedError when the turn was aborted */
export function throwIfAborted(state: Pick<TurnStart, "signal">): void {
  if (state.signal.aborted) throw new DetachedError("aborted");
}
