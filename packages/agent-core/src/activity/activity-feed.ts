import type { EventBus } from "../bus/index.ts";
import { type Database, namedStatement, type Row } from "../database/index.ts";
import type { CommittedEvent, TaskOrigin, TaskState, TaskView } from "../event/index.ts";
import { withoutMarks } from "../verifier/index.ts";
import { type FeedState, feedOrigin, feedState } from "./activity-context.ts";
import { publishActivity } from "./publish-activity.ts";

/** One turn of the feed (B39). Times are epoch milliseconds. */
export interface ActivityEntry {
  readonly task: string;
  readonly createdAt: number;
  readonly context: string;
  /** `scheduler`, `watch`, `inbox`, `webhook`, `a2a`, `operator`, `background` or `goal`. */
  readonly origin: string;
  /** What started it, for example `inbox:12`; undefined: a message. */
  readonly trigger: string | undefined;
  readonly priority: string | undefined;
  /** By its A2A name. */
  readonly state: FeedState;
  /** The turn's input; the first 2,000 characters. */
  readonly stimulus: string;
  /** What it answered, or why it failed; the first 4,000 characters. */
  readonly text: string;
}

const STIMULUS_CHARS = 2_000;
const TEXT_CHARS = 4_000;

/** Events at a task's end among which its answer and failure are: nothing but its end is committed with them. */
const LAST_EVENTS = 8;

function texts(body: string, path: string, chars: number): string {
  const pieces = `SELECT value ->> '$.text' AS piece FROM json_each(${body}, '${path}') WHERE value ->> '$.kind' = 'text'`;
  return `(SELECT substr(group_concat(piece, char(10)), 1, ${chars}) FROM (${pieces}))`;
}

const LAST = `e.task = t.id AND e.seq > t.seq - ${LAST_EVENTS}`;

const list = () =>
  namedStatement(
    `SELECT t.id, t.created_at, t.context, t.origin, t.state,
       f.body ->> '$.provenance.trigger', f.body ->> '$.provenance.priority',
       ${texts("f.body", "$.input.parts", STIMULUS_CHARS)},
       (SELECT ${texts("e.body", "$.parts", TEXT_CHARS)} FROM event AS e WHERE ${LAST} AND e.kind = 'answer' ORDER BY e.seq DESC LIMIT 1),
       (SELECT substr(e.body ->> '$.failure.message', 1, ${TEXT_CHARS}) FROM event AS e WHERE ${LAST} AND e.kind = 'task.failed')
     FROM activity AS a JOIN task AS t ON t.id = a.task LEFT JOIN event AS f ON f.task = t.id AND f.seq = 1
     WHERE a.task < :before ORDER BY a.task DESC LIMIT :limit`,
  );

/** Reads what the agent did by itself from the journal. */
export class ActivityFeed {
  readonly #db: Pick<Database, "read">;
  readonly #bus: EventBus;
  readonly #list = list();

  constructor({ db, bus }: { readonly db: Pick<Database, "read">; readonly bus: EventBus }) {
    this.#db = db;
    this.#bus = bus;
  }

  /** Publishes what a commit means for the feed. */
  committed(view: Readonly<TaskView>, events: readonly CommittedEvent[]): void {
    publishActivity(this.#bus, view, events);
  }

  /** Newest first; ids of tasks sort by time. `before`: only older ones. @throws DatabaseError */
  async list(limit: number, before?: string): Promise<readonly ActivityEntry[]> {
    const rows = await this.#db.read(this.#list.bind({ before: before ?? "~", limit }));
    return rows.map(entryOf);
  }
}

function entryOf(row: Row): ActivityEntry {
  const [task, created, context, origin, state, trigger, priority, stimulus, answer, failure] = row;
  return {
    task: String(task),
    createdAt: Number(created),
    context: String(context),
    origin: feedOrigin(String(origin) as TaskOrigin),
    trigger: trigger === null ? undefined : String(trigger),
    priority: priority === null ? undefined : String(priority),
    state: feedState(String(state) as TaskState),
    stimulus: withoutMarks(String(stimulus ?? "")),
    text: withoutMarks(String(answer ?? failure ?? "")),
  };
}
