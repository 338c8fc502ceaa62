/** The loop (engine.md "turn"): ask the model, run the calls, until there is an answer, a park or an end. */
import { inputContent, messageBody, readHistory, showHistory } from "../context/index.ts";
import type { InputMessage, TaskEvent, TaskFailure } from "../event/index.ts";
import { billTo } from "./bill.ts";
import { commitTurn, throwIfAborted } from "./commit.ts";
import { compactContext, compactTurn, recoverOverflow } from "./compact-context.ts";
import { DetachedError } from "./detached-error.ts";
import { endChange } from "./end-turn.ts";
import { addNote, complete, completeByCall, fail, messageRow, stopPartial, takeAnswer } from "./finish.ts";
import { askGuards } from "./guards.ts";
import { modelStep } from "./model-step.ts";
import { roleOf } from "./role-of.ts";
import { toolStep } from "./tool-step.ts";
import { releaseModel } from "./turn-model.ts";
import type { TurnDeps, TurnState } from "./turn-state.ts";

/** What callers read of a task that failed by no fault of theirs, the model's or a tool's. */
export const INTERNAL_FAILURE: TaskFailure = Object.freeze({
  code: "internal",
  message: "The agent failed for a reason of its own; the log has it.",
});

/** How a turn's loop came to its end. */
export type TurnEnd = "ended" | "parked" | "detached";

/** The steering that waits becomes user messages of the next model call, read exactly once (ruling R8). */
function takeSteering(state: TurnState, deps: TurnDeps): void {
  const rows = state.takeSteering();
  if (rows.length === 0) return;
  const inputs = rows.map((row) => JSON.parse(row.body) as InputMessage);
  const event: TaskEvent = { kind: "input.consumed", inputs };
  state.carry.events.push(event);
  for (const [i, input] of inputs.entries()) {
    const content = inputContent(input);
    state.messages.push({ role: "user", content });
    state.carry.statements.push(
      messageRow(state, deps, "user", messageBody({ kind: "user", content })),
      deps.journal.statements.deleteSteering.bind({ id: rows[i]!.id }),
    );
  }
}

/** Runs the calls of the last assistant message. True: parked. */
async function runCalls(state: TurnState, deps: TurnDeps): Promise<boolean> {
  const waits = state.place.take();
  if (waits !== undefined) {
    await waits;
    state.aliveAt = deps.clock.now();
    throwIfAborted(state);
  }
  // A restored turn's assistant message may not be the last one of the context, so its results land by call id.
  const restored = state.results.size > 0 || state.answers.size > 0 || state.crashed.size > 0;
  const prompts = await toolStep(state, deps);
  if (prompts.length > 0) return true;
  if (restored) {
    const { id, class: callerClass, context } = state.record.view;
    const history = await readHistory(deps.db, deps.journal.statements, { class: callerClass, context }, id);
    const results = new Map([...history.results, ...state.results]);
    state.messages = showHistory({ ...history, results }, id);
    state.beyond = history.beyond ?? false;
    state.fit = undefined;
  } else {
    for (const call of state.calls) {
      state.messages.push({ role: "tool", callId: call.id, name: call.name, text: state.results.get(call.id) ?? "" });
    }
  }
  state.rounds++;
  state.calls = [];
  state.results = new Map();
  state.rows = new Map();
  state.answers = new Map();
  state.insideAnswers = new Map();
  state.edits = undefined;
  state.crashed = new Set();
  return false;
}

async function loop(state: TurnState, deps: TurnDeps): Promise<TurnEnd> {
  if (state.options.purpose === "compact") {
    state.place.giveBack(state.messages);
    await compactTurn(state, deps);
    return "ended";
  }
  for (;;) {
    const acted = state.calls.length > 0;
    if (acted && (await runCalls(state, deps))) return "parked";
    if (state.endedBy !== undefined && state.options.skill === undefined) {
      await completeByCall(state, deps, state.endedBy);
      return "ended";
    }
    if (acted) {
      const verdict = askGuards(state, deps);
      if (verdict.kind === "fail") {
        await fail(state, deps, verdict.failure);
        return "ended";
      }
      if (verdict.kind === "hand-back") {
        const { guard, text } = verdict;
        state.carry.events.push({ kind: "guard.noted", guard, text });
        state.carry.statements.push(messageRow(state, deps, "assistant", messageBody({ kind: "assistant", text })));
        await complete(state, deps, [{ kind: "text", text }], text);
        return "ended";
      }
      if (verdict.kind === "note") {
        addNote(state, deps, verdict.guard, verdict.text);
        state.repeat = { ...state.repeat, noted: true };
      }
    }
    // Steering that is taken is committed next, or by whoever ends the task.
    throwIfAborted(state);
    if (state.modelCall === undefined) takeSteering(state, deps);
    state.place.giveBack(state.messages);
    await compactContext(state, deps);
    const reply = await modelStep(state, deps);
    if (reply.kind === "overflowed") {
      await recoverOverflow(state, deps);
      continue;
    }
    if (reply.kind === "failed") {
      await fail(state, deps, reply.failure);
      return "ended";
    }
    if (reply.calls.length === 0) {
      if (await takeAnswer(state, deps, reply)) return "ended";
      continue;
    }
    if (state.rounds >= (roleOf(state, deps)?.maxRounds ?? Number.POSITIVE_INFINITY)) {
      await stopPartial(state, deps, reply.text);
      return "ended";
    }
    if (state.deltasShown) state.carry.events.push({ kind: "text.reset" });
    state.deltasShown = false;
    state.calls = reply.calls;
    state.messages.push({ role: "assistant", text: reply.text, toolCalls: reply.calls });
    const body = messageBody({ kind: "assistant", text: reply.text, toolCalls: reply.calls });
    state.carry.statements.push(messageRow(state, deps, "assistant", body));
  }
}

/** Calls whose start or outcome was left out of the journal: those that ran may have happened. */
function forgetUntold(state: TurnState, untold: readonly TaskEvent[]): void {
  const before = state.crashed;
  const crashed = new Set(before);
  for (const event of untold) {
    if (event.kind !== "tool.started" && event.kind !== "tool.finished") continue;
    const { call } = event;
    if (state.rows.get(call)?.repeatable !== true && state.openCalls.get(call)?.repeatable !== true) crashed.add(call);
    state.results.delete(call);
    if (event.kind === "tool.finished") continue;
    state.openCalls.delete(call);
    // A crash had left its row, and its start was told then.
    if (!before.has(call)) state.rows.delete(call);
  }
  state.crashed = crashed;
}

/** What waited may be what cannot be committed, so it is left out; calls that are open are closed (E3). */
async function failInternally(state: TurnState, deps: TurnDeps): Promise<void> {
  const { events } = state.carry;
  const bills = events.filter(({ kind }) => kind === "delegation.finished");
  state.carry = { events: bills, statements: [] };
  forgetUntold(state, events);
  const reason = { kind: "failed", failure: INTERNAL_FAILURE } as const;
  const owed = await deps.delegated?.end(state.record.view, state.billed ?? new Set(), reason);
  for (const bill of owed ?? []) billTo(state, bill);
  const context = { statements: deps.journal.statements, now: deps.clock.now() };
  await commitTurn(state, deps, endChange(state.record, state, reason, context));
}

/**
 * Runs a turn until it ends, parks or is detached. Every failure of the agent ends the task in a stated way; what
 * rejects is a bug or a store that is gone.
 */
export async function runTurn(state: TurnState, deps: TurnDeps): Promise<TurnEnd> {
  try {
    return await loop(state, deps);
  } catch (error) {
    if (error instanceof DetachedError) return "detached";
    deps.log.warn(
      `task ${state.record.view.id}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    );
    try {
      await failInternally(state, deps);
      return "ended";
    } catch (second) {
      if (second instanceof DetachedError) return "detached";
      throw second;
    }
  } finally {
    releaseModel(state);
  }
}
