/**
 * The state of a turn that goes on after a park, a restart or a wait in the queue, read from what is committed
 * (rulings R3, A18).
 */
import type { ParkAnswer } from "@agent-service/plugin-sdk";
import { readHistory, showHistory } from "../context/index.ts";
import type { PromptReason } from "../event/index.ts";
import type { TaskRecord } from "../journal/index.ts";
import type { ModelToolCall } from "../model/index.ts";
import type { TaskOptions } from "./task-options.ts";
import type { CallAnswer, SteeringRow, TurnDeps, TurnState } from "./turn-state.ts";

/** What a turn starts from. */
export interface TurnStart {
  readonly record: TaskRecord;
  readonly options: TaskOptions;
  readonly signal: AbortSignal;
  takeSteering(): readonly SteeringRow[];
}

/** A turn that has not asked the model yet; the caller fills in the messages. */
export function freshTurn(start: TurnStart, deps: TurnDeps): TurnState {
  return {
    ...start,
    messages: [],
    step: 0,
    rounds: 0,
    usage: start.record.view.usage,
    calls: [],
    results: new Map(),
    openCalls: new Map(),
    crashed: new Set(),
    answers: new Map(),
    modelCall: undefined,
    carry: { events: [], statements: [] },
    deltasShown: start.record.view.text !== "",
    compacted: false,
    repairs: 0,
    repeat: { key: "", count: 0 },
    aliveAt: deps.clock.now(),
  };
}

async function answersOf(deps: TurnDeps, task: string): Promise<Map<string, CallAnswer>> {
  const rows = await deps.db.read(deps.journal.statements.selectPromptsOfTask.bind({ task }));
  const answers = new Map<string, CallAnswer>();
  for (const [, call, reason, , state, answer] of rows) {
    if (state !== "answered" || typeof answer !== "string") continue;
    answers.set(String(call), { reason: reason as PromptReason, answer: JSON.parse(answer) as ParkAnswer });
  }
  return answers;
}

/**
 * Restores a turn. `afterCrash`: the process that ran it is gone, so calls without outcome may or may not have
 * happened; an approval to run such a call again was used up by the run that crashed.
 */
export async function restoreTurn(start: TurnStart, deps: TurnDeps, afterCrash: boolean): Promise<TurnState> {
  const { id: task, class: callerClass, context, steps } = start.record.view;
  const statements = deps.journal.statements;
  const [history, calls, answers] = await Promise.all([
    readHistory(deps.db, statements, { class: callerClass, context }),
    deps.db.read(statements.selectCallsOfTask.bind({ task })),
    answersOf(deps, task),
  ]);
  const state = freshTurn(start, deps);
  state.messages = showHistory(history);
  state.step = steps;
  const own = history.items.filter((item) => item.task === task);
  const rounds = own.filter((item) => item.message.kind === "assistant" && item.message.toolCalls !== undefined).length;
  const last = own.at(-1)?.message;
  const lastCalls: readonly ModelToolCall[] = last?.kind === "assistant" ? (last.toolCalls ?? []) : [];
  const open = new Set(calls.filter((row) => row[4] === null).map((row) => String(row[0])));
  const pending = lastCalls.filter((call) => !history.results.has(call.id));
  state.rounds = pending.length > 0 ? rounds - 1 : rounds;
  if (pending.length === 0) return state;
  state.calls = lastCalls;
  state.results = new Map(
    lastCalls.flatMap((call) => {
      const result = history.results.get(call.id);
      return result === undefined ? [] : [[call.id, result] as const];
    }),
  );
  const interrupted = new Set<string>();
  for (const call of pending) {
    const answer = answers.get(call.id);
    if (!open.has(call.id)) {
      if (answer !== undefined) state.answers.set(call.id, answer);
      continue;
    }
    // A park inside a repeatable call goes on with its answer; whatever else was open when a process died is in doubt.
    const repeatable = ["pure", "idempotent"].includes(deps.toolbox.get(call.name)?.effect ?? "effect");
    if (answer !== undefined && (!afterCrash || (answer.reason === "inside" && repeatable)))
      state.answers.set(call.id, answer);
    else interrupted.add(call.id);
  }
  state.crashed = interrupted;
  return state;
}
