/** What watches left after the last process ended: each fire once, each with what it started, and nothing twice (WA1, G19, G20). */
import { DatabaseSync } from "node:sqlite";
import type { Ledger } from "../ledger.ts";
import { readDeeds } from "../proof-tools.ts";
import { stepOf } from "./proof-watch.ts";
import type { KnownWatch } from "./watch-clients.ts";

interface FireRow {
  readonly watch: string;
  readonly no: number;
  readonly kind: string;
  readonly task: string | null;
  readonly evidence: string;
}

interface StoredWatch {
  readonly id: string;
  readonly status: string;
  readonly fires: number;
  readonly suppressed: number;
  readonly pending: number;
  readonly reaction: string | null;
}

interface WatchTask {
  readonly id: string;
  readonly watch: string;
  /** A turn, and not a message. */
  readonly reacts: boolean;
  /** How many fires its message says it is about; undefined: it is another attempt. */
  readonly about: number | undefined;
}

/** Sums, for the report. */
export interface WatchFigures {
  readonly watches: number;
  readonly fires: number;
  readonly reactions: number;
  readonly reactionsAgain: number;
  readonly firesSuppressed: number;
}

interface Store {
  readonly fires: readonly FireRow[];
  readonly watches: readonly StoredWatch[];
  readonly tasks: readonly WatchTask[];
}

function readStore(file: string): Store {
  const db = new DatabaseSync(file);
  try {
    const rows = <T>(sql: string): T[] => db.prepare(sql).all() as T[];
    const accepted = rows<{ id: string; body: string }>(
      "SELECT t.id, e.body FROM task t JOIN event e ON e.task = t.id AND e.seq = 1 WHERE t.origin = 'watch'",
    );
    return {
      fires: rows<FireRow>("SELECT watch, no, kind, task, evidence FROM watch_fire ORDER BY watch, no"),
      watches: rows<StoredWatch>(
        `SELECT id, status, json_extract(state, '$.fireCount') AS fires, json_extract(state, '$.suppressed') AS suppressed,
           json_extract(state, '$.pending') AS pending, json_extract(state, '$.reaction') AS reaction FROM watch`,
      ),
      tasks: accepted.map(({ id, body }) => taskOf(id, body)),
    };
  } finally {
    db.close();
  }
}

function taskOf(id: string, body: string): WatchTask {
  const watch = /"watch:(w\d+)"/.exec(body)?.[1] ?? "?";
  const reacts = body.includes(`A reaction of the watch ${watch}.`);
  const isAgain = body.includes("An earlier reaction to this was interrupted");
  const about = isAgain ? undefined : Number(/It fired (\d+) times/.exec(body)?.[1] ?? 1);
  return { id, watch, reacts, about: reacts ? about : undefined };
}

/** G19: what was seen has fired, and nothing did twice. */
function checkFires({ watch: { id, kind }, fired, ended }: KnownWatch, own: readonly FireRow[], ledger: Ledger): void {
  const edges = own.filter((fire) => fire.kind === "met" || fire.kind === "change");
  const steps = edges.map(({ evidence }) => stepOf(evidence));
  for (const step of fired)
    if (!steps.includes(step))
      ledger.blame(`G19: watch ${id} saw step ${step}, and did not fire (${steps.join(", ")})`);
  for (const [i, step] of steps.entries())
    if (step === undefined || (i > 0 && step <= (steps[i - 1] ?? 0)))
      ledger.blame(`G19: watch ${id} fired at steps ${steps.join(", ")}`);
  const count = (of: string): number => own.filter((fire) => fire.kind === of).length;
  if (kind === "once" && edges.length > 1)
    ledger.blame(`G18: watch ${id} is to fire once, and did ${edges.length} times`);
  if (count("stalled") > (kind === "still" ? 1 : 0)) ledger.blame(`G19: watch ${id} stalled ${count("stalled")} times`);
  if (kind === "brief" && count("expired") !== (ended ? 1 : 0))
    ledger.blame(`G18: watch ${id} ${ended ? "ended" : "goes on"}, and expired ${count("expired")} times`);
}

/** WA1: a fire and what it starts are there together; no fire is without a reaction but those that are counted. */
function checkTasks({ watch: { id, reacts } }: KnownWatch, { fires, watches, tasks }: Store, ledger: Ledger): void {
  const own = fires.filter(({ watch }) => watch === id);
  const ofWatch = tasks.filter(({ watch }) => watch === id);
  const ids = new Set(ofWatch.map((task) => task.id));
  const named = own.flatMap(({ task }) => (task === null ? [] : [task]));
  for (const task of named) if (!ids.has(task)) ledger.blame(`WA1: a fire of ${id} names ${task}, which never began`);
  if (new Set(named).size < named.length) ledger.blame(`WA1: two fires of ${id} name one task`);
  const messages = ofWatch.filter((task) => !task.reacts);
  const told = own.filter(({ kind }) => !reacts || (kind !== "met" && kind !== "change"));
  if (messages.length !== told.length)
    ledger.blame(`WA1: watch ${id} has ${told.length} fires to tell of, and told ${messages.length}`);
  if (!reacts) return;
  const stored = watches.find((one) => one.id === id);
  if (stored === undefined) return;
  if (stored.reaction !== null || stored.pending > 0)
    ledger.blame(`G20: watch ${id} has ${stored.pending} fires that wait, and the reaction ${stored.reaction}`);
  const edges = own.length - told.length;
  const answered = ofWatch.reduce((sum, { about }) => sum + (about ?? 0), 0);
  if (edges !== answered + stored.suppressed)
    ledger.blame(`G20: watch ${id} fired ${edges} times, reacted to ${answered} and left out ${stored.suppressed}`);
  if (edges !== stored.fires) ledger.blame(`G19: watch ${id} counts ${stored.fires} fires, and has ${edges}`);
}

/** No reaction does twice what is to be done once (G5). */
function checkEffects({ tasks }: Store, deeds: string, ledger: Ledger): void {
  const watchOf = new Map(tasks.map((task) => [task.id, task.watch]));
  const once = readDeeds(deeds).filter(({ what, tool }) => what === "wrote" && tool !== "put_once");
  for (const [watch, of] of Map.groupBy(once, ({ taskId }) => watchOf.get(taskId))) {
    const calls = new Set(of.map(({ callId }) => callId)).size;
    const begun = tasks.filter((task) => task.watch === watch && task.about !== undefined).length;
    if (calls > begun) ledger.blame(`G5: ${begun} reactions of ${watch} did ${calls} times what is done once`);
  }
}

export function checkWatches(
  file: string,
  { known, deeds, ledger }: { readonly known: readonly KnownWatch[]; readonly deeds: string; readonly ledger: Ledger },
): WatchFigures {
  const store = readStore(file);
  for (const one of known) {
    const { watch, made, removed } = one;
    const isThere = store.watches.some(({ id }) => id === watch.id);
    if (made === "yes" && removed === "no" && !isThere) ledger.blame(`EN9: watch ${watch.id} is not in the store`);
    if (removed === "yes" && isThere) ledger.blame(`EN9: watch ${watch.id} was removed, and is in the store`);
    // What fired goes with the watch.
    if (!isThere) continue;
    checkFires(
      one,
      store.fires.filter((fire) => fire.watch === watch.id),
      ledger,
    );
    checkTasks(one, store, ledger);
  }
  checkEffects(store, deeds, ledger);
  return {
    watches: known.length,
    fires: store.fires.length,
    reactions: store.tasks.filter(({ reacts }) => reacts).length,
    reactionsAgain: store.tasks.filter(({ reacts, about }) => reacts && about === undefined).length,
    firesSuppressed: store.watches.reduce((sum, { suppressed }) => sum + suppressed, 0),
  };
}
