/** Reads the store and the file of deeds after the last process ended, and reports what they must not hold. */
import { DatabaseSync } from "node:sqlite";
import type { Ledger } from "./ledger.ts";
import { type Deed, readDeeds } from "./proof-tools.ts";

interface TaskRow {
  readonly id: string;
  readonly state: string;
  readonly seq: number;
}
interface EventRow {
  readonly task: string;
  readonly seq: number;
  readonly kind: string;
  readonly body: string;
}
interface CallRow {
  readonly id: string;
  readonly task: string;
  readonly name: string;
  readonly args: string;
  readonly outcome: string | null;
  readonly result: string | null;
  readonly parent: string | null;
}
interface PromptRow {
  readonly id: string;
  readonly task: string;
  readonly call: string;
  readonly reason: string;
  readonly state: string;
  readonly answer: string | null;
}

/** What a store holds. */
interface Store {
  readonly tasks: readonly TaskRow[];
  readonly events: ReadonlyMap<string, readonly EventRow[]>;
  readonly calls: readonly CallRow[];
  readonly prompts: readonly PromptRow[];
  readonly keys: number;
}

const TERMINAL = ["completed", "failed", "canceled"];
/** Tools whose calls a crash leaves in no doubt: they are pure or idempotent, or can look whether they happened. */
const CERTAIN = [
  "look",
  "put_once",
  "ask_put",
  "ledger_add",
  "job_append",
  "ask_human",
  "request_user_input",
  "check_inbox",
  "task_create",
  "memory_ingest",
  "task",
  "task_batch",
  "execute_code",
  "verify",
];
/** Tools that write a line when they run. */
const WRITING = ["append_once", "ledger_add", "job_append", "guarded_append", "put_once", "confirm_append", "ask_put"];

function rows<T>(db: DatabaseSync, sql: string): T[] {
  return db.prepare(sql).all() as T[];
}

function readStore(path: string, ledger: Ledger): Store {
  const db = new DatabaseSync(path);
  try {
    const integrity = rows<{ integrity_check: string }>(db, "PRAGMA integrity_check").map((row) => row.integrity_check);
    if (integrity.join() !== "ok") ledger.blame(`the database is damaged: ${integrity.join("; ")}`);
    const events = rows<EventRow>(db, "SELECT task, seq, kind, body FROM event ORDER BY task, seq");
    return {
      tasks: rows<TaskRow>(db, "SELECT id, state, seq FROM task"),
      events: Map.groupBy(events, (event) => event.task),
      calls: rows<CallRow>(db, "SELECT id, task, name, args, outcome, result, parent FROM call"),
      prompts: rows<PromptRow>(db, "SELECT id, task, call, reason, state, answer FROM prompt"),
      keys: rows(db, "SELECT 1 FROM idempotency").length,
    };
  } finally {
    db.close();
  }
}

/** EN2, EN3: numbers without gaps, one end and nothing after it, nothing left open behind it. */
function checkTasks(store: Store, ledger: Ledger): void {
  const ends = TERMINAL.map((state) => `task.${state}`);
  for (const task of store.tasks) {
    const events = store.events.get(task.id) ?? [];
    const gap = events.findIndex((event, i) => event.seq !== i + 1);
    if (gap >= 0 || events.length !== task.seq) {
      ledger.blame(`EN2: task ${task.id} at ${task.seq} has ${events.length} events, a gap at ${gap + 1}`);
    }
    const end = events.findIndex((event) => ends.includes(event.kind));
    const terminal = TERMINAL.includes(task.state);
    if (terminal ? end !== events.length - 1 || events[end]?.kind !== `task.${task.state}` : end >= 0) {
      ledger.blame(`EN3: task ${task.id} is ${task.state}; its end is event ${end + 1} of ${events.length}`);
    }
    if (!terminal && task.state !== "parked") ledger.blame(`TU1: task ${task.id} is ${task.state} and has no runner`);
    const failed = events.find((event) => event.kind === "task.failed")?.body ?? "";
    if (failed.includes('"code":"internal"')) ledger.blame(`task ${task.id} failed for a reason of the engine's own`);
    if (!terminal) continue;
    const calls = store.calls.filter((call) => call.task === task.id && call.outcome === null);
    const prompts = store.prompts.filter((prompt) => prompt.task === task.id && prompt.state === "pending");
    for (const call of calls)
      ledger.blame(`EN3: call ${call.id} (${call.name}) of ended task ${task.id} has no outcome`);
    for (const prompt of prompts) ledger.blame(`EN3: prompt ${prompt.id} of ended task ${task.id} still waits`);
  }
}

function tokenOf(call: CallRow): string {
  const args = JSON.parse(call.args === "" ? "{}" : call.args) as { token?: string };
  return args.token ?? "";
}

/** EN5, EN6, R3: what was done, against what was intended and recorded, and against what a person allowed. */
function checkEffects(
  store: Store,
  { deeds, tokens }: { readonly deeds: readonly Deed[]; readonly tokens: readonly string[] | undefined },
  ledger: Ledger,
): void {
  const calls = new Map(store.calls.map((call) => [call.id, call]));
  const written = Map.groupBy(
    deeds.filter((deed) => deed.what === "wrote"),
    (deed) => deed.callId,
  );
  const allowedAgain = (callId: string): number =>
    store.prompts.filter(
      ({ call, reason, answer }) =>
        call === callId && reason === "again" && answer?.includes('"approved":true') === true,
    ).length;
  for (const [callId, lines] of written) {
    const call = calls.get(callId);
    const [{ tool, token }] = lines as [Deed, ...Deed[]];
    if (call === undefined) ledger.blame(`EN5: ${tool} wrote ${token} for call ${callId}, which has no intent`);
    else if (call.outcome === "denied" || (call.outcome === "aborted" && !["put_once", "ask_put"].includes(tool))) {
      ledger.blame(`R3: ${tool} wrote ${token}, and its call ${callId} is recorded as ${call.outcome}`);
    }
    const most = 1 + allowedAgain(callId);
    if (lines.length > most) ledger.blame(`R3: ${tool} wrote ${token} ${lines.length} times; ${most} were allowed`);
  }
  for (const call of store.calls) {
    const promised = call.outcome === "ok" && (call.result ?? "").match(/^(wrote|put after)/) !== null;
    if (WRITING.includes(call.name) && promised && !written.has(call.id)) {
      ledger.blame(`EN9: ${call.name} ${tokenOf(call)} is recorded as done; its line is missing`);
    }
  }
  for (const [token, lines] of tokens === undefined ? [] : Map.groupBy(deeds, (deed) => deed.token)) {
    const ids = new Set(lines.map((deed) => deed.callId));
    if (ids.size > 1) ledger.blame(`EN6: ${token} was asked for once and ran as calls ${[...ids].join(", ")}`);
  }
  for (const { id, call, reason } of store.prompts) {
    const name = calls.get(call)?.name ?? "";
    if (reason === "again" && CERTAIN.includes(name)) ledger.blame(`R3: prompt ${id} asks whether ${name} happened`);
  }
  checkResumes(deeds, ledger);
  checkNotes(deeds, ledger);
}

/** A13: a tool that parked, or continued by its note, goes on, and is never run again from its top. */
function checkResumes(deeds: readonly Deed[], ledger: Ledger): void {
  const asking = deeds.filter(({ tool }) => ["confirm_append", "ask_put", "job_append"].includes(tool));
  for (const [callId, lines] of Map.groupBy(asking, (deed) => deed.callId)) {
    const resumed = lines.findIndex((deed) => deed.what === "resumed");
    if (resumed >= 0 && lines.slice(resumed).some((deed) => deed.what === "run")) {
      ledger.blame(`A13: call ${callId} was run from its top after it had continued`);
    }
  }
}

/** R3: a call that was assured of its note continues by it: in the life after, it is not begun anew. */
function checkNotes(deeds: readonly Deed[], ledger: Ledger): void {
  for (const [callId, lines] of Map.groupBy(deeds, (deed) => deed.callId)) {
    const kept = lines.findIndex((deed) => deed.what === "kept");
    if (kept >= 0 && lines.slice(kept).some((deed) => deed.what === "run"))
      ledger.blame(`R3: call ${callId} was run from its top although it had kept a note`);
  }
}

/** A13: every confirmed answer is there, once; no prompt has two. */
function checkAnswers(store: Store, ledger: Ledger): void {
  const answered = new Map<string, string[]>();
  for (const events of store.events.values()) {
    for (const { kind, body } of events) {
      if (kind !== "prompt.answered") continue;
      const { promptId } = JSON.parse(body) as { promptId: string };
      answered.set(promptId, [...(answered.get(promptId) ?? []), body]);
    }
  }
  for (const [promptId, bodies] of answered) {
    if (bodies.length > 1) ledger.blame(`A13: prompt ${promptId} was answered ${bodies.length} times`);
  }
  for (const { promptId, marker, taskId } of ledger.answers) {
    const row = store.prompts.find((prompt) => prompt.id === promptId);
    const kept = row?.answer?.includes(marker) === true && answered.get(promptId)?.[0]?.includes(marker) === true;
    if (!kept) ledger.blame(`EN9: the answer ${marker} to prompt ${promptId} of task ${taskId} is lost`);
  }
}

/** A15 and TU1: a request is one task at most, and an acknowledged one is there. */
function checkRequests(store: Store, tokens: readonly string[], ledger: Ledger): void {
  const accepted = [...store.events.values()].map((events) => events[0]?.body ?? "");
  for (const token of tokens) {
    const tasks = accepted.filter((body) => body.includes(`${token}`)).length;
    if (tasks > 1) ledger.blame(`A15: request ${token} is ${tasks} tasks`);
  }
  const known = new Set(store.tasks.map((task) => task.id));
  for (const task of ledger.tasks.values()) {
    if (!known.has(task.id)) ledger.blame(`EN9: acknowledged task ${task.id} (${task.token}) is not in the store`);
  }
}

/** Sums over what a store holds, for the report. */
export interface StoreFigures {
  readonly tasks: number;
  readonly events: number;
  readonly calls: number;
  readonly prompts: number;
  readonly writes: number;
  readonly interrupted: number;
  readonly askedAgain: number;
  /** Calls that scripts made. */
  readonly inScripts: number;
  /** Prompts about them. */
  readonly askedInScripts: number;
}

/** Checks everything that lasts. `tokens` are those of every request that was drawn; undefined: one may be work more than once. */
export function checkStore(
  file: string,
  deedsFile: string,
  tokens: readonly string[] | undefined,
  ledger: Ledger,
): StoreFigures {
  const store = readStore(file, ledger);
  const deeds = readDeeds(deedsFile);
  checkTasks(store, ledger);
  checkEffects(store, { deeds, tokens }, ledger);
  checkAnswers(store, ledger);
  checkRequests(store, tokens ?? [], ledger);
  const ends = [...store.events.values()].map((events) => events.at(-1)?.body ?? "");
  const inScripts = new Set(store.calls.flatMap(({ id, parent }) => (parent === null ? [] : [id])));
  return {
    tasks: store.tasks.length,
    events: [...store.events.values()].reduce((sum, events) => sum + events.length, 0),
    calls: store.calls.length,
    prompts: store.prompts.length,
    writes: deeds.filter((deed) => deed.what === "wrote").length,
    interrupted: ends.filter((body) => body.includes('"code":"interrupted"')).length,
    askedAgain: store.prompts.filter((prompt) => prompt.reason === "again").length,
    inScripts: inScripts.size,
    askedInScripts: store.prompts.filter(({ call }) => inScripts.has(call)).length,
  };
}
