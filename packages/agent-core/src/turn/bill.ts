import { addUsage, type DelegationFinished, delegatedUsage, NO_USAGE, type TaskUsage } from "../event/index.ts";
import type { TurnState } from "./turn-state.ts";

/** Adds what a delegation used to a turn's account, to be journaled with the next commit (ruling A11). */
export function billTo(state: TurnState, bill: DelegationFinished): void {
  state.billed ??= new Set();
  if (state.billed.has(bill.task)) return;
  state.billed.add(bill.task);
  state.usage = addUsage(state.usage, delegatedUsage(bill));
  state.carry.events.push(bill);
}

/** What delegations used together. */
export function usageOf(bills: readonly DelegationFinished[]): TaskUsage {
  return bills.reduce((sum, bill) => addUsage(sum, delegatedUsage(bill)), NO_USAGE);
}
