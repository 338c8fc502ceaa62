/** How a task ends: every open call is closed in the same commit (EN3), usage and time are summed up (A11). */
import type { Statement } from "../database/index.ts";
import {
  addUsage,
  type DelegationFinished,
  NO_USAGE,
  type PendingPrompt,
  type TaskEvent,
  type TaskTotals,
  taskCost,
} from "../event/index.ts";
import type { Change, Statements, TaskRecord } from "../journal/index.ts";
import { callDigest } from "../tool/index.ts";
import { delegationsUsage } from "./account.ts";
import type { CallBatch } from "./batch/call-batch.ts";
import { callFinished, closeCallRow } from "./batch/call-rows.ts";
import type { EndReason } from "./end-reason.ts";
import type { OpenModelCall } from "./step/step-state.ts";
import type { TurnState } from "./turn-state.ts";

/** What a turn leaves open, and what goes into the commit that ends it. */
export type UnfinishedTurn = Pick<TurnState, "account" | "batch" | "step" | "carry">;

interface Closing {
  readonly events: TaskEvent[];
  readonly statements: Statement[];
}

const UNANSWERED = "The task ended while this call waited for a person.";
const NOT_RUN = "The call was not run: the task ended first.";
const ABORTED = "The call was aborted because the task ended.";
const UNKNOWN = "The task ended while this call ran; it may have happened.";

/** Tokens, time and cost of the task at this moment. */
export interface TotalsInput {
  readonly usage: TaskTotals["usage"];
  readonly now: number;
  /** Events that are committed together with the end. */
  readonly pending: readonly TaskEvent[];
}

/** Usage, duration and cost at this moment. */
export function totals({ view }: TaskRecord, { usage, now, pending }: TotalsInput): TaskTotals {
  const parkedNow = view.state === "parked" ? now - view.statusAt : 0;
  const durationMs = Math.max(0, now - view.createdAt - view.parkedMs - parkedNow);
  const costUsd = taskCost(view.models, pending);
  return costUsd === undefined ? { usage, durationMs } : { usage, durationMs, costUsd };
}

function closeCalls(record: TaskRecord, batch: CallBatch, statements: Statements, now: number): Closing {
  const events: TaskEvent[] = [];
  const rows: Statement[] = [];
  const waiting = new Set(record.view.prompts.map((prompt) => prompt.callId));
  for (const call of batch.openCalls.values()) {
    const end = call.repeatable
      ? { outcome: "aborted" as const, text: ABORTED, at: now }
      : { outcome: "unknown" as const, text: UNKNOWN, at: now };
    events.push(...callFinished(call, end));
    rows.push(closeCallRow(statements, record, { ...call, stored: batch.rows.has(call.id) }, end));
  }
  for (const call of batch.calls) {
    if (batch.results.has(call.id) || batch.openCalls.has(call.id) || waiting.has(call.id)) continue;
    const identity = { id: call.id, name: call.name, args: call.args, digest: callDigest(call.name, call.args) };
    const row = batch.rows.get(call.id);
    const crashed = batch.crashed.has(call.id);
    const text = crashed ? ABORTED : row === undefined ? NOT_RUN : UNANSWERED;
    const end =
      crashed && row?.repeatable !== true
        ? { outcome: "unknown" as const, text: UNKNOWN, at: now }
        : { outcome: "aborted" as const, text, at: now };
    const closed = { ...identity, stored: row !== undefined, startedAt: row?.startedAt ?? now };
    // Its start was journaled with its row.
    if (row !== undefined) events.push(...callFinished(closed, end));
    rows.push(closeCallRow(statements, record, closed, end));
  }
  for (const call of batch.inner.values()) {
    const row = batch.rows.get(call.id);
    const isSettled = call.recorded !== undefined || batch.results.has(call.id) || batch.openCalls.has(call.id);
    if (isSettled || waiting.has(call.id) || row === undefined) continue;
    const crashed = batch.crashed.has(call.id);
    const end =
      crashed && !row.repeatable
        ? { outcome: "unknown" as const, text: UNKNOWN, at: now }
        : { outcome: "aborted" as const, text: crashed ? ABORTED : UNANSWERED, at: now };
    const closed = { ...call, stored: true, startedAt: row.startedAt };
    events.push(...callFinished(closed, end));
    rows.push(closeCallRow(statements, record, closed, end));
  }
  return { events, statements: rows };
}

function closeModelCall({ call, step, model, startedAt }: OpenModelCall, now: number): TaskEvent {
  const failure = { code: "aborted", message: "The task ended during this call." };
  return { kind: "model.failed", call, step, model, failure, ms: now - startedAt };
}

function closeWaiting(
  record: TaskRecord,
  prompts: readonly PendingPrompt[],
  statements: Statements,
  now: number,
): Closing {
  const events: TaskEvent[] = [];
  const rows: Statement[] = [];
  for (const { promptId, callId, reason, payload, tool: name, parentCall: parent } of prompts) {
    events.push({ kind: "prompt.withdrawn", promptId });
    const args = payload.kind === "approval" ? JSON.stringify(payload.args) : "{}";
    const end =
      reason === "again"
        ? { outcome: "unknown" as const, text: UNKNOWN, at: now }
        : { outcome: "aborted" as const, text: UNANSWERED, at: now };
    const call = {
      id: callId,
      name,
      args,
      digest: callDigest(name, args),
      stored: reason !== "before",
      startedAt: now,
      parent,
    };
    events.push(...callFinished(call, end));
    rows.push(closeCallRow(statements, record, call, end));
  }
  rows.push(statements.expirePrompts.bind({ task: record.view.id, at: now }));
  return { events, statements: rows };
}

function lastEvent(reason: EndReason, sum: TaskTotals): TaskEvent {
  return reason.kind === "canceled"
    ? { kind: "task.canceled", ...sum }
    : { kind: "task.failed", failure: reason.failure, ...sum };
}

/**
 * The change that ends a task without an answer, whatever it is doing. `state` is the turn's, if one runs; a parked or
 * queued task has none. What waits in its carry goes along and stays there, so that the change can be made again.
 */
export function endChange(
  record: TaskRecord,
  state: UnfinishedTurn | undefined,
  reason: EndReason,
  context: {
    readonly statements: Statements;
    readonly now: number;
    /** Delegations that are not in the account of the turn yet. */
    readonly delegations?: readonly DelegationFinished[];
  },
): Change {
  const { statements, now, delegations = [] } = context;
  const carry = state?.carry ?? { events: [], statements: [] };
  const batch = state?.batch;
  const running: Closing =
    batch === undefined ? { events: [], statements: [] } : closeCalls(record, batch, statements, now);
  const modelCall = state?.step.call;
  if (modelCall !== undefined) running.events.push(closeModelCall(modelCall, now));
  const waiting = closeWaiting(record, record.view.prompts, statements, now);
  const own = state?.account.usage ?? record.view.usage ?? NO_USAGE;
  const usage = delegations.length === 0 ? own : addUsage(own, delegationsUsage(delegations));
  const pending = [...carry.events, ...running.events, ...waiting.events, ...delegations];
  return {
    label: `task.${reason.kind}`,
    events: [...pending, lastEvent(reason, totals(record, { usage, now, pending }))],
    statements: [...carry.statements, ...running.statements, ...waiting.statements],
  };
}
