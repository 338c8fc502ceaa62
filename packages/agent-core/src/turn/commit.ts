/** How a turn commits: what waits goes along, a full disk or a lost server is waited out, a lost task ends the loop. */
import { sleep } from "../clock/index.ts";
import { DatabaseError } from "../database/index.ts";
import { type Change, JournalError } from "../journal/index.ts";
import { DetachedError } from "./detached-error.ts";
import { type TurnDeps, type TurnState, takeCarry } from "./turn-state.ts";

/** Milliseconds between attempts while the store cannot take writes. */
const RETRY_MS = 1_000;

/**
 * Commits the carry and then `change`, in one transaction. A store that is full or out of reach is tried again until it
 * answers or the turn is aborted: an agent does not lose a step because a disk was full for a minute.
 * @throws DetachedError when the task was ended by somebody else, the lease is lost or the turn is aborted
 */
export async function commitTurn(state: TurnState, deps: TurnDeps, change: Change): Promise<void> {
  const carry = takeCarry(state);
  const whole: Change = {
    label: change.label,
    events: carry.events.length === 0 ? change.events : [...carry.events, ...change.events],
    statements: [...carry.statements, ...(change.statements ?? [])],
  };
  for (;;) {
    try {
      await deps.journal.append(state.record, whole);
      return;
    } catch (error) {
      if (error instanceof JournalError) throw new DetachedError(error.message);
      if (!(error instanceof DatabaseError)) throw error;
      if (error.code === "full" || error.code === "unreachable") {
        deps.log.warn(
          `task ${state.record.view.id}: the store cannot take "${change.label}" (${error.code}); trying again`,
        );
        await sleep(deps.clock, RETRY_MS, state.signal).catch(() => {
          throw new DetachedError("aborted while the store could not take writes");
        });
        continue;
      }
      if (error.code === "expectation_failed" || error.code === "lease_lost" || error.code === "closed") {
        throw new DetachedError(error.message);
      }
      throw error;
    }
  }
}

/** Stops the loop when the turn was aborted. @throws DetachedError */
export function throwIfAborted(state: TurnState): void {
  if (state.signal.aborted) throw new DetachedError("aborted");
}
