/**
 * The state of a turn that continues after a park, a restart or a wait in the queue, read from what is committed
 * (R3, A18).
 */
import type { ParkAnswer } from "@agent-service/plugin-sdk";
import {
  type History,
  inputContent,
  MAX_CALLS,
  messageBody,
  NO_REFS,
  refsOf,
  type StoredMessage,
  showHistory,
} from "../context/index.ts";
import type { Row } from "../database/index.ts";
import type { CallOutcome, PromptReason } from "../event/index.ts";
import type { ModelToolCall } from "../model/index.ts";
import type { Toolbox } from "../tool/index.ts";
import type { CallAnswer, CallBatch, InnerCall, StoredAnswer, StoredCall } from "./batch/call-batch.ts";
import { messageRow } from "./finish.ts";
import { toolboxOf } from "./role-of.ts";
import { taintByMessage } from "./taint.ts";
import type { TurnDeps } from "./turn-deps.ts";
import { turnHistory } from "./turn-history.ts";
import type { TurnStart, TurnState } from "./turn-state.ts";
import { NO_OPERATOR } from "./unattended.ts";

const NONE: readonly string[] = Object.freeze([]);
const NO_REPEAT = Object.freeze({ key: "", count: 0, noted: false });
const NONE_UNANSWERED = Object.freeze({ step: 0, times: 0 });
const NOTHING_OWN: History = Object.freeze({ items: [], results: new Map() });

/** A turn that has not called the model yet; the caller fills in the messages. */
export function freshTurn(start: TurnStart, { clock }: Pick<TurnDeps, "clock">): TurnState {
  const { usage, billed, text } = start.record.view;
  return {
    ...start,
    conversation: {
      messages: [],
      forms: undefined,
      fit: undefined,
      exceedsBounds: false,
      inSight: NO_REFS,
      tainted: false,
      hasRecalled: false,
      foundTools: undefined,
      overflowed: false,
      compactionFailed: false,
      behindPersona: undefined,
    },
    routing: {
      chosen: undefined,
      fallback: 0,
      refusedImages: NONE,
      imagesNoted: false,
      refusedEffort: NONE,
      effortNoted: false,
    },
    counts: { rounds: 0, repairs: 0, repeat: NO_REPEAT, unanswered: NONE_UNANSWERED },
    account: { usage, billed: billed && new Set(billed) },
    step: { number: 0, call: undefined, deltasShown: text !== "" },
    batch: undefined,
    endedBy: undefined,
    carry: { events: [], statements: [] },
    aliveAt: clock.now(),
  };
}

/** What is stored with a result, while other calls of the batch may have none yet: its images, and where it came from. */
function goesWithResult(message: StoredMessage): boolean {
  return message.kind === "tainted" || (message.kind === "note" && message.images !== undefined);
}

/** The order in which one call can prompt: before it runs, inside it, again after a crash. */
const ASKED: readonly PromptReason[] = ["before", "inside", "again"];

const REPEATABLE: readonly string[] = ["pure", "idempotent"];

/** The answers of a task's calls, the last one of each call and all that were given inside. */
async function answersOf(deps: TurnDeps, task: string) {
  const rows = await deps.db.read(deps.journal.statements.selectPromptsOfTask.bind({ task }));
  const last = new Map<string, CallAnswer>();
  const inside = new Map<string, ParkAnswer[]>();
  const approved = new Set<string>();
  const edits = new Map<string, string>();
  const given = rows.flatMap(([, callId, reasonText, , state, body]) => {
    if (state !== "answered" || typeof body !== "string") return [];
    const { args, seq = 0, ...answer } = JSON.parse(body) as StoredAnswer;
    return [{ call: String(callId), reason: reasonText as PromptReason, args, seq, answer }];
  });
  for (const { call, reason, args, answer } of given.toSorted((a, b) => a.seq - b.seq)) {
    if (args !== undefined) edits.set(call, args);
    if (reason !== "inside" && answer.kind === "approval" && answer.approved) approved.add(call);
    if (reason === "inside") {
      const earlier = inside.get(call);
      if (earlier === undefined) inside.set(call, [answer]);
      else earlier.push(answer);
    }
    const known = last.get(call);
    if (known === undefined || ASKED.indexOf(reason) > ASKED.indexOf(known.reason)) last.set(call, { reason, answer });
  }
  return { last, inside, approved, edits: edits.size === 0 ? undefined : edits };
}

/** What the store has of the calls of a task. */
interface StoredCalls {
  /** What calls of the last message that have no outcome have called (SC2). */
  readonly inner: readonly Row[];
  /** What calls without outcome have kept: id, note. */
  readonly notes: readonly Row[];
  /** Of the last assistant message. */
  readonly last: readonly ModelToolCall[];
  /** Rows of all calls: id, outcome, …, when they began. */
  readonly rows: readonly Row[];
  /** Of all calls, by id. */
  readonly results: ReadonlyMap<string, string>;
}

/** The result of a call of the last batch that ends the turn. */
function endedBy(toolbox: Toolbox, { last, rows, results }: StoredCalls): string | undefined {
  const ender = last.find(
    ({ id, name }) => toolbox.get(name)?.endsTurn === true && rows.some((row) => row[0] === id && row[1] === "ok"),
  );
  return ender === undefined ? undefined : results.get(ender.id);
}

function innerCallOf([id, parent, name, args, digest, outcome, text]: Row): InnerCall {
  const call = {
    id: String(id),
    parent: String(parent),
    name: String(name),
    args: String(args),
    digest: String(digest),
  };
  return outcome === null ? call : { ...call, recorded: { outcome: outcome as CallOutcome, text: String(text ?? "") } };
}

/** The batch a turn continues with; undefined: every call of its last message has a result. */
function restoreBatch(
  toolbox: Toolbox,
  { last, rows, results, inner: innerRows, notes }: StoredCalls,
  answered: Awaited<ReturnType<typeof answersOf>>,
  afterCrash: boolean,
): CallBatch | undefined {
  const pending: readonly Pick<ModelToolCall, "id">[] = last.filter((call) => !results.has(call.id));
  if (pending.length === 0) return undefined;
  const inner = new Map(innerRows.map((row) => [String(row[0]), innerCallOf(row)]));
  const effects = new Map(
    [...last, ...inner.values()].map(({ id, name }) => [id, toolbox.get(name)?.effect ?? "effect"]),
  );
  const times = [...rows.map(([id, , , at]) => [id, at]), ...innerRows.map((row) => [row[0], row[7]])];
  const stored = new Map<string, StoredCall>(
    times.map(([id, at]) => {
      const repeatable = REPEATABLE.includes(effects.get(String(id)) ?? "effect");
      return [String(id), { startedAt: Number(at), repeatable }];
    }),
  );
  const openInner = [...inner.values()].filter(({ recorded }) => recorded === undefined).map(({ id }) => id);
  const open = new Set([...rows.filter((row) => row[1] === null).map((row) => String(row[0])), ...openInner]);
  const answers = new Map<string, CallAnswer>();
  const crashed = new Set<string>();
  const mayContinue = new Set([...pending.map(({ id }) => id), ...open, ...answered.last.keys()]);
  for (const id of mayContinue) {
    if (results.has(id)) continue;
    const answer = answered.last.get(id);
    // A park inside a repeatable call continues with its answer; every other call that was open when a process died is in doubt.
    const isKnown =
      !open.has(id) || !afterCrash || (answer?.reason === "inside" && stored.get(id)?.repeatable === true);
    if (answer !== undefined && isKnown) answers.set(id, answer);
    else if (open.has(id)) crashed.add(id);
  }
  return {
    calls: last,
    results: new Map(
      last.flatMap(({ id }) => {
        const result = results.get(id);
        return result === undefined ? [] : [[id, result] as const];
      }),
    ),
    images: [],
    openCalls: new Map(),
    rows: stored,
    crashed,
    answers,
    approved: answered.approved,
    edits: answered.edits,
    insideAnswers: answered.inside,
    outside: new Set(),
    notes: new Map(notes.map(([id, note]) => [String(id), String(note)])),
    inner,
  };
}

/**
 * Restores a turn. `afterCrash`: the process that ran it has ended, so calls without outcome may or may not have
 * happened; an approval to run such a call again was used up by the run that crashed.
 */
export async function restoreTurn(start: TurnStart, deps: TurnDeps, afterCrash: boolean): Promise<TurnState> {
  const { id: task, class: callerClass, context, steps } = start.record.view;
  const statements = deps.journal.statements;
  const key = { class: callerClass, context };
  // A turn that only waited has stored nothing but the messages its caller sent along.
  const isNew = start.record.view.state === "queued" && steps === 0;
  const [opened, history, calls, answers] = await Promise.all([
    isNew && start.options.fresh !== true ? deps.conversations.read(key) : undefined,
    isNew ? NOTHING_OWN : turnHistory(start, deps),
    // Which calls have an outcome; their results are in the history.
    deps.db.read(statements.selectCallsOfTask.bind({ task, limit: MAX_CALLS, bytes: 0 })),
    answersOf(deps, task),
  ]);
  const state = freshTurn(start, deps);
  const { conversation } = state;
  if (opened === undefined) {
    conversation.messages = showHistory(history, task);
    conversation.exceedsBounds = history.exceedsBounds ?? false;
    conversation.inSight = refsOf(history.items);
    conversation.tainted = history.tainted ?? false;
  } else Object.assign(conversation, opened);
  state.step.number = steps;
  const asked = start.record.view.history[0];
  // The message of a turn that waited enters the conversation now: turns before it never read it.
  const isConversation = start.options.purpose === undefined;
  if (isConversation && start.record.view.state === "queued" && steps === 0 && asked?.from === "caller") {
    const content = inputContent(asked.message);
    conversation.messages.push({ role: "user", content });
    state.carry.statements.push(messageRow(start.record, deps, "user", messageBody({ kind: "user", content })));
    taintByMessage(state, deps, asked.message, start.options);
  }
  const own = history.items.filter((item) => item.task === task);
  // What a model was shown stays; where it has answered without, nothing is put between its messages.
  conversation.hasRecalled = own.some(({ message: { kind } }) => kind === "recalled" || kind === "assistant");
  const shownRounds = own.filter(
    (item) => item.message.kind === "assistant" && item.message.toolCalls !== undefined,
  ).length;
  const rounds = shownRounds + (history.hiddenRounds ?? 0);
  const inVain = own.filter(
    ({ message }) =>
      message.kind === "assistant" && message.toolCalls?.some(({ id }) => history.results.get(id) === NO_OPERATOR),
  );
  state.counts.unanswered = { step: 0, times: inVain.length };
  const last = own.findLast(({ message }) => !goesWithResult(message))?.message;
  const lastCalls: readonly ModelToolCall[] = last?.kind === "assistant" ? (last.toolCalls ?? []) : [];
  const begun = new Set(calls.filter((row) => row[1] === null).map((row) => String(row[0])));
  const parents = lastCalls.filter(({ id }) => begun.has(id)).map(({ id }) => id);
  const [inner, notes] =
    parents.length === 0
      ? [[], []]
      : await Promise.all([
          deps.db.read(statements.selectInnerCalls.bind({ parents: JSON.stringify(parents) })),
          deps.db.read(statements.selectCallNotes.bind({ task })),
        ]);
  const stored: StoredCalls = { last: lastCalls, rows: calls, results: history.results, inner, notes };
  const toolbox = toolboxOf(start.record, deps);
  state.batch = restoreBatch(toolbox, stored, answers, afterCrash);
  state.counts.rounds = state.batch === undefined ? rounds : rounds - 1;
  state.endedBy = endedBy(toolbox, stored);
  return state;
}
