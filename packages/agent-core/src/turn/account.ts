import { addUsage, type DelegationFinished, delegatedUsage, NO_USAGE, type TaskUsage } from "../event/index.ts";
import type { TurnState } from "./turn-state.ts";

/** Adds what a delegation used to a turn's account, to be journaled with the next commit (A11). */
export function addDelegation(
  { account, carry }: Pick<TurnState, "account" | "carry">,
  done: DelegationFinished,
): void {
  account.billed ??= new Set();
  if (account.billed.has(done.task)) return;
  account.billed.add(done.task);
  account.usage = addUsage(account.usage, delegatedUsage(done));
  carry.events.push(done);
}

export function delegationsUsage(finished: readonly DelegationFinished[]): TaskUsage {
  return finished.reduce((sum, one) => addUsage(sum, delegatedUsage(one)), NO_USAGE);
}
