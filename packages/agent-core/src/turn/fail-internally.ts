import type { TaskEvent, TaskFailure } from "../event/index.ts";
import { stackOf } from "../log/index.ts";
import { addDelegation } from "./account.ts";
import type { CallBatch } from "./batch/call-batch.ts";
import { commitTurn } from "./commit.ts";
import { endChange } from "./end-turn.ts";
import type { TurnDeps } from "./turn-deps.ts";
import type { TurnState } from "./turn-state.ts";

/** The failure of a task that neither its caller, the model nor a tool caused. */
export const INTERNAL_FAILURE: TaskFailure = Object.freeze({
  code: "internal",
  message: "The agent failed for a reason of its own; the log has it.",
});

/** Treats calls whose start or outcome could not be journaled as crashed: those that ran may have happened. */
function dropUnjournaled(batch: CallBatch, dropped: readonly TaskEvent[]): void {
  const before = batch.crashed;
  const crashed = new Set(before);
  for (const event of dropped) {
    if (event.kind !== "tool.started" && event.kind !== "tool.finished") continue;
    const { call } = event;
    if (batch.rows.get(call)?.repeatable !== true && batch.openCalls.get(call)?.repeatable !== true) crashed.add(call);
    batch.results.delete(call);
    if (event.kind === "tool.finished") continue;
    batch.openCalls.delete(call);
    // A crash had left its row, and its start was journaled then.
    if (!before.has(call)) batch.rows.delete(call);
  }
  batch.crashed = crashed;
}

/**
 * Logs an unexpected error and ends the task with `INTERNAL_FAILURE`. The carry may be what cannot be committed, so it is
 * dropped; calls that are open are closed (EN3).
 */
export async function failInternally(state: TurnState, deps: TurnDeps, error: unknown): Promise<void> {
  deps.log.warn(`task ${state.record.view.id}: ${stackOf(error)}`);
  const { events } = state.carry;
  const delegations = events.filter(({ kind }) => kind === "delegation.finished");
  state.carry = { events: delegations, statements: [] };
  if (state.batch !== undefined) dropUnjournaled(state.batch, events);
  const reason = { kind: "failed", failure: INTERNAL_FAILURE } as const;
  const ended = await deps.delegated?.end(state.record.view, state.account.billed ?? new Set(), reason);
  for (const delegation of ended ?? []) addDelegation(state, delegation);
  const context = { statements: deps.journal.statements, now: deps.clock.now() };
  await commitTurn(state, deps, endChange(state.record, state, reason, context));
}
