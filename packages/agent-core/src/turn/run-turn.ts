/** The loop: ask the model, run the calls, until there is an answer, a park or an end. */
import { inputContent, messageBody, showHistory } from "../context/index.ts";
import type { InputMessage, TaskEvent } from "../event/index.ts";
import { type CallBatch, newBatch } from "./batch/call-batch.ts";
import { toolStep } from "./batch/tool-step.ts";
import { throwIfAborted } from "./commit.ts";
import { DetachedError } from "./detached-error.ts";
import { directBatch, endDirectCall } from "./direct-call.ts";
import { failInternally } from "./fail-internally.ts";
import { addNote, complete, completeByCall, fail, messageRow, stopPartial, takeAnswer } from "./finish.ts";
import { limitsOf, runGuards } from "./guards.ts";
import { roleOf } from "./role-of.ts";
import { compactContext, compactTurn, recoverOverflow } from "./step/compact-context.ts";
import { modelStep } from "./step/model-step.ts";
import { recallContext } from "./step/recall-context.ts";
import { taintByMessage } from "./taint.ts";
import type { TurnDeps } from "./turn-deps.ts";
import { turnHistory } from "./turn-history.ts";
import { releaseModel } from "./turn-model.ts";
import type { TurnState } from "./turn-state.ts";

/** How a turn's loop ended. */
export type TurnEnd = "ended" | "parked" | "detached";

/** The steering that waits becomes user messages of the next model call, read exactly once (R8). */
function takeSteering(state: TurnState, deps: Pick<TurnDeps, "journal" | "clock">): void {
  const rows = state.takeSteering();
  if (rows.length === 0) return;
  const { conversation, carry } = state;
  const inputs = rows.map((row) => JSON.parse(row.body) as InputMessage);
  const event: TaskEvent = { kind: "input.consumed", inputs };
  carry.events.push(event);
  for (const [i, input] of inputs.entries()) {
    const content = inputContent(input);
    conversation.messages.push({ role: "user", content });
    carry.statements.push(
      messageRow(state.record, deps, "user", messageBody({ kind: "user", content })),
      deps.journal.statements.deleteSteering.bind({ id: rows[i]!.id }),
    );
    taintByMessage(state, deps, input);
  }
}

/** Runs the calls of the last assistant message. True: parked. */
async function runCalls(state: TurnState, batch: CallBatch, deps: TurnDeps): Promise<boolean> {
  const waits = state.slot.acquire();
  if (waits !== undefined) {
    await waits;
    state.aliveAt = deps.clock.now();
    throwIfAborted(state);
  }
  // A restored turn's assistant message may not be the last one of the context, so its results land by call id.
  const restored = batch.results.size > 0 || batch.answers.size > 0 || batch.crashed.size > 0;
  const prompts = await toolStep(state, batch, deps);
  if (prompts.length > 0) return true;
  const { conversation } = state;
  if (restored) {
    const { id } = state.record.view;
    const history = await turnHistory(state, deps);
    const results = new Map([...history.results, ...batch.results]);
    conversation.messages = showHistory({ ...history, results }, id);
    conversation.exceedsBounds = history.exceedsBounds ?? false;
    conversation.fit = undefined;
  } else {
    for (const { id, name } of batch.calls) {
      conversation.messages.push({ role: "tool", callId: id, name, text: batch.results.get(id) ?? "" });
    }
    conversation.messages.push(...batch.images);
  }
  state.counts.rounds++;
  state.batch = undefined;
  return false;
}

async function loop(state: TurnState, deps: TurnDeps): Promise<TurnEnd> {
  if (state.options.purpose === "compact") {
    state.slot.release(state.conversation.messages);
    await compactTurn(state, deps);
    return "ended";
  }
  if (state.options.call !== undefined) {
    const batch = await directBatch(state, deps, state.options.call);
    if (batch !== undefined && (await runCalls(state, batch, deps))) return "parked";
    await endDirectCall(state, deps, batch);
    return "ended";
  }
  for (;;) {
    const { batch } = state;
    if (batch !== undefined && (await runCalls(state, batch, deps))) return "parked";
    if (state.endedBy !== undefined && state.options.skill === undefined) {
      await completeByCall(state, deps, state.endedBy);
      return "ended";
    }
    if (batch !== undefined) {
      const verdict = runGuards(state.counts, limitsOf(deps.limits, state.options.maxRounds));
      if (verdict.kind === "fail") {
        await fail(state, deps, verdict.failure);
        return "ended";
      }
      if (verdict.kind === "hand-back") {
        const { guard, text } = verdict;
        state.carry.events.push({ kind: "guard.noted", guard, text });
        state.carry.statements.push(
          messageRow(state.record, deps, "assistant", messageBody({ kind: "assistant", text })),
        );
        await complete(state, deps, [{ kind: "text", text }], text);
        return "ended";
      }
      if (verdict.kind === "note") {
        addNote(state, deps, verdict);
        state.counts.repeat = { ...state.counts.repeat, noted: true };
      }
    }
    // Steering taken here is committed next, or by whoever ends the task.
    throwIfAborted(state);
    if (state.step.call === undefined) takeSteering(state, deps);
    state.slot.release(state.conversation.messages);
    await compactContext(state, deps);
    await recallContext(state, deps);
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
    if (state.counts.rounds >= (roleOf(state.record, deps)?.maxRounds ?? Number.POSITIVE_INFINITY)) {
      await stopPartial(state, deps, reply.text);
      return "ended";
    }
    if (state.step.deltasShown) state.carry.events.push({ kind: "text.reset" });
    state.step.deltasShown = false;
    state.batch = newBatch(reply.calls);
    state.conversation.messages.push({ role: "assistant", text: reply.text, toolCalls: reply.calls });
    const body = messageBody({ kind: "assistant", text: reply.text, toolCalls: reply.calls });
    state.carry.statements.push(messageRow(state.record, deps, "assistant", body));
  }
}

/**
 * Runs a turn until it ends, parks or is detached. Every failure of the agent ends the task in a stated way; what
 * rejects is a bug or a store that was lost.
 */
export async function runTurn(state: TurnState, deps: TurnDeps): Promise<TurnEnd> {
  try {
    return await loop(state, deps);
  } catch (error) {
    if (error instanceof DetachedError) return "detached";
    try {
      await failInternally(state, deps, error);
      return "ended";
    } catch (second) {
      if (second instanceof DetachedError) return "detached";
      throw second;
    }
  } finally {
    releaseModel(state.routing);
  }
}
