/** What goals left after the last process ended: every turn, check and verdict in the timeline once, and nothing twice (GO1 to GO3, TR1). */
import { DatabaseSync } from "node:sqlite";
import type { Ledger } from "../ledger.ts";
import { readDeeds } from "../proof-tools.ts";
import type { KnownGoal } from "./goal-clients.ts";

interface GoalState {
  readonly iteration: number;
  readonly drive?: string;
  readonly verify?: string;
  readonly paused?: string;
}

interface StoredGoal {
  readonly id: string;
  readonly session: string;
  readonly status: string;
  readonly state: GoalState;
}

interface TimelineEvent {
  readonly goal: string;
  readonly kind: string;
  readonly body: { readonly task?: string; readonly met?: boolean; readonly iteration?: number };
}

interface GoalTask {
  readonly id: string;
  readonly state: string;
  readonly kind: "drive" | "check" | "notice";
  readonly goal: string;
  /** Of a check: how its call ended. */
  readonly outcome: string | null;
}

interface Store {
  readonly goals: readonly StoredGoal[];
  readonly events: readonly TimelineEvent[];
  readonly tasks: readonly GoalTask[];
}

/** Sums, for the report. */
export interface GoalFigures {
  readonly goals: number;
  readonly drives: number;
  readonly verdicts: number;
  readonly goalsMet: number;
}

function readStore(file: string): Store {
  const db = new DatabaseSync(file);
  try {
    const rows = (sql: string) => db.prepare(sql).all() as Record<string, string>[];
    const accepted = rows(
      `SELECT t.id, t.state, t.origin, json_extract(t.options, '$.purpose') AS purpose,
         json_extract(e.body, '$.provenance.trigger') AS started_by,
         (SELECT outcome FROM call WHERE call.task = t.id) AS outcome
       FROM task t JOIN event e ON e.task = t.id AND e.seq = 1
       WHERE json_extract(e.body, '$.provenance.trigger') LIKE 'goal:%' ORDER BY t.id`,
    );
    return {
      goals: rows("SELECT id, context, status, state FROM goal").map(
        ({ id = "", context = "", status = "", state }) => ({
          ...{ id, session: context, status, state: JSON.parse(state ?? "{}") as GoalState },
        }),
      ),
      events: rows("SELECT goal, kind, body FROM goal_event ORDER BY goal, no").map(
        ({ goal = "", kind = "", body }) => ({
          ...{ goal, kind, body: JSON.parse(body ?? "{}") as TimelineEvent["body"] },
        }),
      ),
      tasks: accepted.map(({ id = "", state = "", origin, purpose, started_by: by = "", outcome }) => ({
        ...{ id, state, goal: by.slice("goal:".length), outcome: outcome ?? null },
        kind: origin === "auxiliary" ? "check" : purpose === "notice" ? "notice" : "drive",
      })),
    };
  } finally {
    db.close();
  }
}

/** TR1, GO1: the timeline names each turn and each verdict's task once, and they are there. */
function checkTimeline({ id, session, status, state }: StoredGoal, { events, tasks }: Store, ledger: Ledger): void {
  const own = events.filter(({ goal }) => goal === id);
  const of = (kind: string) => own.filter((event) => event.kind === kind);
  const named = (kind: string) => of(kind).map(({ body }) => body.task ?? "none");
  const ofGoal = tasks.filter(({ goal }) => goal === id);
  const drives = ofGoal.filter(({ kind }) => kind === "drive").map((task) => task.id);
  const blame = (what: string): void =>
    ledger.blame(`${what} (goal ${session}: ${own.map(({ kind }) => kind).join(" ")})`);
  if (JSON.stringify(named("drive").toSorted()) !== JSON.stringify(drives.toSorted()))
    blame(`TR1: the timeline has ${named("drive").length} drives, and ${drives.length} began`);
  const judged = named("verdict");
  if (new Set(judged).size < judged.length) blame("GO1: two verdicts name one task");
  const concluded = ofGoal.filter(
    ({ kind, state: of, outcome }) => kind === "check" && of === "completed" && outcome === "ok",
  );
  for (const task of concluded)
    if (!judged.includes(task.id) && state.verify !== task.id) blame(`GO1: the verdict of ${task.id} is lost`);
  for (const task of judged)
    if (!concluded.some((one) => one.id === task)) blame(`GO1: a verdict names ${task}, which came to none`);
  const last = of("verdict").at(-1)?.body;
  if (status === "met" && last?.met !== true) blame("GO2: it is met without a verdict that says so");
  if (status === "active" && last?.met === true && own.at(-1)?.kind === "ended")
    blame("GO2: it was met, and is active");
  const since = own.findLastIndex(({ kind }) => kind === "set" || kind === "rearmed");
  const verdicts = own.slice(Math.max(0, since)).filter(({ kind }) => kind === "verdict").length;
  if (verdicts !== state.iteration) blame(`GO3: it counts ${state.iteration} verdicts, and has ${verdicts}`);
  const ends = of("ended").length;
  const begins = of("set").length + of("rearmed").length;
  const notices = ofGoal.filter(({ kind }) => kind === "notice").length;
  if (ends > begins || ends < begins - 1 || notices !== ends)
    blame(`it began ${begins} times, ended ${ends} and told ${notices}`);
  if ((status === "active") !== (ends === begins - 1))
    blame(`it is ${status}, began ${begins} times and ended ${ends}`);
}

/** G5: a turn that did what is done once is not repeated by itself. */
function checkEffects({ events }: Store, deeds: string, ledger: Ledger): void {
  const once = readDeeds(deeds).filter(({ what, tool }) => what === "wrote" && tool !== "put_once");
  for (const [task, of] of Map.groupBy(once, ({ taskId }) => taskId))
    if (new Set(of.map(({ callId }) => callId)).size > 1)
      ledger.blame(`R3: the turn ${task} did twice what it does once`);
  const had = new Set(once.map(({ taskId }) => taskId));
  for (const [i, { kind, goal, body }] of events.entries()) {
    const next = events[i + 1];
    if (kind === "turn_failed" && had.has(body.task ?? "") && next?.goal === goal && next.kind === "drive")
      ledger.blame(`G5: ${body.task} had an effect, and was repeated as ${next.body.task}`);
  }
}

export function checkGoals(
  file: string,
  { known, deeds, ledger }: { readonly known: readonly KnownGoal[]; readonly deeds: string; readonly ledger: Ledger },
): GoalFigures {
  const store = readStore(file);
  for (const { goal, made, removed, own } of known) {
    const stored = store.goals.find(({ session }) => session === goal.id);
    if (made === "yes" && removed === "no" && stored?.id !== own)
      ledger.blame(`EN9: goal ${goal.id} is not in the store`);
    if (removed === "yes" && stored !== undefined)
      ledger.blame(`EN9: goal ${goal.id} was removed, and is in the store`);
    if (stored === undefined) continue;
    if (stored.status === "active" && stored.state.paused === undefined && stored.state.drive === undefined)
      ledger.blame(`TU1: goal ${goal.id} is active, and nothing works on it`);
    checkTimeline(stored, store, ledger);
  }
  checkEffects(store, deeds, ledger);
  return {
    goals: known.length,
    drives: store.tasks.filter(({ kind }) => kind === "drive").length,
    verdicts: store.events.filter(({ kind }) => kind === "verdict").length,
    goalsMet: store.events.filter(({ kind, body }) => kind === "verdict" && body.met === true).length,
  };
}
