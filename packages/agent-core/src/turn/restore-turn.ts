/**
 * The state of a turn that goes on after a park, a restart or a wait in the queue, read from what is committed
 * (rulings R3, A18).
 */
import type { ParkAnswer } from "@agent-service/plugin-sdk";
import { type History, inputContent, MAX_CALLS, messageBody, readHistory, showHistory } from "../context/index.ts";
import type { PromptReason } from "../event/index.ts";
import type { TaskRecord } from "../journal/index.ts";
import type { ModelToolCall } from "../model/index.ts";
import { messageRow } from "./finish.ts";
import { toolboxOf } from "./role-of.ts";
import type { TaskOptions } from "./task-options.ts";
import type { CallAnswer, SteeringRow, StoredAnswer, TurnDeps, TurnState, WorkingPlace } from "./turn-state.ts";
import { NO_OPERATOR } from "./unattended.ts";

/** What a turn starts from. */
export interface TurnStart {
  readonly record: TaskRecord;
  readonly options: TaskOptions;
  readonly signal: AbortSignal;
  readonly place: WorkingPlace;
  takeSteering(): readonly SteeringRow[];
}

const NOTHING_OWN: History = Object.freeze({ items: [], results: new Map() });

/** A turn that has not asked the model yet; the caller fills in the messages. */
export function freshTurn(start: TurnStart, deps: TurnDeps): TurnState {
  return {
    ...start,
    messages: [],
    forms: undefined,
    foundTools: undefined,
    fit: undefined,
    step: 0,
    rounds: 0,
    usage: start.record.view.usage,
    billed: start.record.view.billed && new Set(start.record.view.billed),
    calls: [],
    results: new Map(),
    openCalls: new Map(),
    crashed: new Set(),
    rows: new Map(),
    answers: new Map(),
    edits: undefined,
    endedBy: undefined,
    insideAnswers: new Map(),
    chosen: undefined,
    modelCall: undefined,
    carry: { events: [], statements: [] },
    serving: 0,
    deltasShown: start.record.view.text !== "",
    compacted: false,
    beyond: false,
    blind: [],
    imagesNoted: false,
    compactionFailed: false,
    repairs: 0,
    repeat: { key: "", count: 0, noted: false },
    unanswered: { step: 0, times: 0 },
    aliveAt: deps.clock.now(),
  };
}

/** The order in which one call can be asked about: before it runs, inside it, again after a crash. */
const ASKED: readonly PromptReason[] = ["before", "inside", "again"];

const REPEATABLE: readonly string[] = ["pure", "idempotent"];

/** The answers of a task's calls, the last one of each call and all that were given inside. */
async function answersOf(deps: TurnDeps, task: string) {
  const rows = await deps.db.read(deps.journal.statements.selectPromptsOfTask.bind({ task }));
  const last = new Map<string, CallAnswer>();
  const inside = new Map<string, ParkAnswer[]>();
  const edits = new Map<string, string>();
  const given = rows.flatMap(([, callId, reasonText, , state, body]) => {
    if (state !== "answered" || typeof body !== "string") return [];
    const { args, seq = 0, ...answer } = JSON.parse(body) as StoredAnswer;
    return [{ call: String(callId), reason: reasonText as PromptReason, args, seq, answer }];
  });
  for (const { call, reason, args, answer } of given.toSorted((a, b) => a.seq - b.seq)) {
    if (args !== undefined) edits.set(call, args);
    if (reason === "inside") {
      const earlier = inside.get(call);
      if (earlier === undefined) inside.set(call, [answer]);
      else earlier.push(answer);
    }
    const known = last.get(call);
    if (known === undefined || ASKED.indexOf(reason) > ASKED.indexOf(known.reason)) last.set(call, { reason, answer });
  }
  return { last, inside, edits: edits.size === 0 ? undefined : edits };
}

/** The result of a call of the last step that ends the turn. */
function endedBy(
  state: TurnState,
  deps: TurnDeps,
  step: {
    calls: readonly ModelToolCall[];
    rows: readonly (readonly unknown[])[];
    results: ReadonlyMap<string, string>;
  },
): string | undefined {
  const toolbox = toolboxOf(state, deps);
  const ender = step.calls.find(
    ({ id, name }) => toolbox.get(name)?.endsTurn === true && step.rows.some((row) => row[0] === id && row[1] === "ok"),
  );
  return ender === undefined ? undefined : step.results.get(ender.id);
}

/**
 * Restores a turn. `afterCrash`: the process that ran it is gone, so calls without outcome may or may not have
 * happened; an approval to run such a call again was used up by the run that crashed.
 */
export async function restoreTurn(start: TurnStart, deps: TurnDeps, afterCrash: boolean): Promise<TurnState> {
  const { id: task, class: callerClass, context, steps } = start.record.view;
  const statements = deps.journal.statements;
  const key = { class: callerClass, context };
  // One that only waited has stored nothing yet but what its caller brought along.
  const isNew = start.record.view.state === "queued" && steps === 0;
  const [opened, history, calls, answers] = await Promise.all([
    isNew ? deps.conversations.read(key) : undefined,
    isNew ? NOTHING_OWN : readHistory(deps.db, statements, key, task),
    // Which calls have an outcome; what they came to is in the history.
    deps.db.read(statements.selectCallsOfTask.bind({ task, limit: MAX_CALLS, bytes: 0 })),
    answersOf(deps, task),
  ]);
  const state = freshTurn(start, deps);
  if (opened === undefined) {
    state.messages = showHistory(history, task);
    state.beyond = history.beyond ?? false;
  } else Object.assign(state, opened);
  state.step = steps;
  const asked = start.record.view.history[0];
  // A turn that waited enters the conversation when it starts: those before it never read it, and it follows their answers.
  const speaks = start.options.purpose === undefined;
  if (speaks && start.record.view.state === "queued" && steps === 0 && asked?.from === "caller") {
    const content = inputContent(asked.message);
    state.messages.push({ role: "user", content });
    state.carry.statements.push(messageRow(state, deps, "user", messageBody({ kind: "user", content })));
  }
  const own = history.items.filter((item) => item.task === task);
  const shownRounds = own.filter(
    (item) => item.message.kind === "assistant" && item.message.toolCalls !== undefined,
  ).length;
  const rounds = shownRounds + (history.hiddenRounds ?? 0);
  const inVain = own.filter(
    ({ message }) =>
      message.kind === "assistant" && message.toolCalls?.some(({ id }) => history.results.get(id) === NO_OPERATOR),
  );
  state.unanswered = { step: 0, times: inVain.length };
  const last = own.at(-1)?.message;
  const lastCalls: readonly ModelToolCall[] = last?.kind === "assistant" ? (last.toolCalls ?? []) : [];
  const open = new Set(calls.filter((row) => row[1] === null).map((row) => String(row[0])));
  const pending = lastCalls.filter((call) => !history.results.has(call.id));
  state.rounds = pending.length > 0 ? rounds - 1 : rounds;
  state.endedBy = endedBy(state, deps, { calls: lastCalls, rows: calls, results: history.results });
  if (pending.length === 0) return state;
  state.calls = lastCalls;
  const toolbox = toolboxOf(state, deps);
  const named = new Map(lastCalls.map(({ id, name }) => [id, toolbox.get(name)?.effect ?? "effect"]));
  state.rows = new Map(
    calls.map(([id, , , at]) => {
      const repeatable = REPEATABLE.includes(named.get(String(id)) ?? "effect");
      return [String(id), { startedAt: Number(at), repeatable }];
    }),
  );
  state.insideAnswers = answers.inside;
  state.edits = answers.edits;
  state.results = new Map(
    lastCalls.flatMap((call) => {
      const result = history.results.get(call.id);
      return result === undefined ? [] : [[call.id, result] as const];
    }),
  );
  const interrupted = new Set<string>();
  for (const call of pending) {
    const answer = answers.last.get(call.id);
    if (!open.has(call.id)) {
      if (answer !== undefined) state.answers.set(call.id, answer);
      continue;
    }
    // A park inside a repeatable call goes on with its answer; whatever else was open when a process died is in doubt.
    const repeatable = state.rows.get(call.id)?.repeatable;
    if (answer !== undefined && (!afterCrash || (answer.reason === "inside" && repeatable)))
      state.answers.set(call.id, answer);
    else interrupted.add(call.id);
  }
  state.crashed = interrupted;
  return state;
}
