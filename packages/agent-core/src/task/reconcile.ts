/**
 * What happens to tasks that a former process left open (A18): under the lease, before the port opens, every one
 * of them gets a stated end or an owner (TU1).
 */
import { inParallel } from "../collection/index.ts";
import { type Database, namedStatement } from "../database/index.ts";
import type { TaskView } from "../event/index.ts";
import type { Journal, TaskRecord } from "../journal/index.ts";
import { OPERATOR_CLASS } from "../share/index.ts";
import { queueEntryOf } from "./queue-entry.ts";
import type { TurnRunner } from "./turn-runner.ts";

/**
 * What a restart does to open tasks (`checkpoint.on_restart`). `auto`: those that another program sent over A2A fail, all
 * others continue; a delegated task shares the fate of the one that delegated it.
 */
export type OnRestart = "auto" | "fail" | "resume";

/** Tasks by what became of them at the start. */
export interface Reconciled {
  readonly failed: number;
  readonly resumed: number;
  readonly parked: number;
}

/** Code and message of a task that a restart ended. */
export const INTERRUPTED = Object.freeze({
  code: "interrupted",
  message: "The task was interrupted by a server restart.",
});

/** What is to be done with the tasks that continue, once everything is decided. */
export interface ReconcilePlan extends Reconciled {
  /** Queues the tasks that continue. */
  begin(): Promise<void>;
}

/** The operator's own surfaces that use A2A, by the `surface` in their messages' metadata. */
const OWN_SURFACES: ReadonlySet<unknown> = new Set(["console", "cli"]);

/** Whether another program sent the task over A2A. A peer is always another program, whatever its message calls itself. */
function isSentByAnother({ origin, class: callerClass, history }: Readonly<TaskView>): boolean {
  if (origin !== "a2a") return false;
  const [first] = history;
  const surface = first?.from === "caller" ? first.message.metadata?.surface : undefined;
  return callerClass !== OPERATOR_CLASS || !OWN_SURFACES.has(surface);
}

/** Whether a restart fails the task under `auto`. */
async function fails(journal: Journal, record: TaskRecord): Promise<boolean> {
  let { view } = record;
  while (view.origin === "subagent" && view.parent !== undefined) {
    const above = await journal.get(view.parent.task);
    if (above === undefined) return true;
    view = above.view;
  }
  return isSentByAnother(view);
}

/** Tasks that are ended at a time: their commits reach the disk together, and thousands would take a minute singly. */
const ENDED_AT_A_TIME = 64;

/** Whom `endOpenTasks` ends, and what it does with a failure. */
export interface EndOpenTasks {
  readonly onRestart: OnRestart;
  /** Called with a task that could not be ended, which the next start ends then. Absent: the first failure is thrown. */
  readonly onError?: (id: string, error: unknown) => void;
}

/**
 * Fails the open tasks that do not continue after a restart, those that wait for a person included. Resolves with how many
 * there were.
 * @throws DatabaseError without `onError`
 */
export async function endOpenTasks(
  journal: Journal,
  runner: TurnRunner,
  { onRestart, onError }: EndOpenTasks,
): Promise<number> {
  if (onRestart === "resume") return 0;
  // All are decided before any is ended: a delegated task is decided by one that may be ended before it.
  const ids = await journal.openTaskIds();
  const decided = await inParallel(onRestart === "fail" ? [] : ids, ENDED_AT_A_TIME, async (id) => {
    const record = await journal.get(id);
    return record !== undefined && (await fails(journal, record)) ? [id] : [];
  });
  const ended = await inParallel(
    onRestart === "fail" ? ids : decided.flat(),
    ENDED_AT_A_TIME,
    async (id): Promise<number> => {
      const record = await journal.get(id);
      if (record === undefined) return 0;
      const ending = runner.end(record, { kind: "failed", failure: INTERRUPTED }, { once: true });
      await (onError === undefined ? ending : ending.catch((error: unknown) => onError(id, error)));
      return 1;
    },
  );
  return ended.reduce((sum, one) => sum + one, 0);
}

const INTERRUPTED_LAST = namedStatement(
  `SELECT 1 FROM task AS t CROSS JOIN event AS e ON e.task = t.id AND e.seq = t.seq
WHERE t.id = (SELECT task FROM message WHERE class = :class AND context = :context AND task <> '' ORDER BY id DESC LIMIT 1)
AND e.body ->> '$.failure.code' = '${INTERRUPTED.code}'`,
);

/** Whether a restart ended the newest turn of a conversation: unread messages wait for the next message then. */
export async function endedByRestart(
  db: Database,
  of: { readonly class: string; readonly context: string },
): Promise<boolean> {
  const rows = await db.read(INTERRUPTED_LAST.bind({ class: of.class, context: of.context }));
  return rows.length > 0;
}

/** Gives every open task an end, or an owner in the plan. Nothing runs before `begin`. */
export async function reconcile(journal: Journal, runner: TurnRunner, onRestart: OnRestart): Promise<ReconcilePlan> {
  const failed = await endOpenTasks(journal, runner, { onRestart });
  const resumed: TaskRecord[] = [];
  let parked = 0;
  for (const id of await journal.openTaskIds()) {
    const record = await journal.get(id);
    if (record === undefined) continue;
    if (record.view.state === "parked") {
      parked++;
    } else {
      record.pinned = true;
      resumed.push(record);
    }
  }
  const begin = async (): Promise<void> => {
    for (const record of resumed) {
      // Its session was being deleted.
      if (record.ended) journal.release(record);
      else await takeOver(record, runner);
    }
  };
  return { failed, resumed: resumed.length, parked, begin };
}

async function takeOver(record: TaskRecord, runner: TurnRunner): Promise<void> {
  const wasRunning = record.view.state === "running";
  await runner.enqueue(record, queueEntryOf(record.view), Promise.resolve(), wasRunning);
}
