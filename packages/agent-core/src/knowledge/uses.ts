/** Which turns saw a memory, and what they did then (K20): read from the journal and the calls, which hold its number and no word of it. */
import { type Database, namedStatement } from "../database/index.ts";
import type { RecallRecord } from "../event/index.ts";
import { OPERATOR_CLASS } from "../share/index.ts";
import type { Toolbox } from "../tool/index.ts";

/** Newest records, and newest calls of memory tools, that one reading looks through. */
const MOST_LOOKED_THROUGH = 20_000;
/** Calls of the turns of a page that are read. */
const MOST_CALLS = 20_000;

const BEFORE = `event.kind = 'context.recalled' AND (event.at, event.task, event.seq) < (:at, :task, :seq)`;
const NEWEST = "ORDER BY event.at DESC, event.task DESC, event.seq DESC";
const sql = {
  records: namedStatement(
    `SELECT event.task, event.seq, event.at, task.context, event.body FROM
       (SELECT task, seq, at, body FROM event WHERE ${BEFORE} ${NEWEST} LIMIT ${MOST_LOOKED_THROUGH}) AS event
     JOIN task ON task.id = event.task
     WHERE task.class = '${OPERATOR_CLASS}' AND (instr(event.body, :item) > 0 OR instr(event.body, :seen) > 0)
     ${NEWEST} LIMIT :limit`,
  ),
  /** The last record that `records` looks at. */
  edge: namedStatement(
    `SELECT at, task, seq FROM event WHERE ${BEFORE} ${NEWEST} LIMIT 1 OFFSET ${MOST_LOOKED_THROUGH - 1}`,
  ),
  readings: namedStatement(
    `SELECT task, context, started_at FROM
       (SELECT * FROM call WHERE name IN ('memory_recall', 'memory_list', 'forget_memory', 'session_search', 'recall_session')
        ORDER BY id DESC LIMIT ${MOST_LOOKED_THROUGH})
     WHERE name IN ('memory_recall', 'memory_list') AND class = '${OPERATOR_CLASS}' AND (started_at, task, 0) < (:at, :task, :seq)
       AND started_at >= :since AND (instr(result, :line) = 1 OR instr(result, char(10) || :line) > 0)
     GROUP BY task, started_at ORDER BY started_at DESC, task DESC LIMIT :limit`,
  ),
  calls: namedStatement(
    `SELECT task, name, started_at FROM call WHERE task IN (SELECT value FROM json_each(:tasks))
     ORDER BY started_at LIMIT ${MOST_CALLS}`,
  ),
  starts: namedStatement(
    `SELECT task, json_extract(body, '$.name'), seq FROM event
     WHERE task IN (SELECT value FROM json_each(:tasks)) AND kind = 'tool.started' LIMIT ${MOST_CALLS}`,
  ),
};

/** Where a use stands among all. */
export interface UsePosition {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly task: string;
  /** 0: of a reading. */
  readonly seq: number;
}

/** A turn that saw a memory. */
export interface MemoryUse extends UsePosition {
  readonly session: string;
  /** `shown`: it was put before the model; `in_sight`: an earlier turn's part still showed it; `read`: a tool answered it. */
  readonly how: "shown" | "in_sight" | "read";
  /** Undefined: what a tool answers does not say. */
  readonly revision: number | undefined;
  /** Tools with an effect that the turn called from then on. */
  readonly effects: readonly string[];
}

export interface MemoryUsesOptions {
  /** The engine's store. */
  readonly db: Database;
  readonly toolbox: () => Pick<Toolbox, "get">;
}

type Seen = Omit<MemoryUse, "effects">;

/** Tells which turns saw a memory. */
export class MemoryUses {
  readonly #options: MemoryUsesOptions;

  constructor(options: MemoryUsesOptions) {
    this.#options = options;
  }

  /**
   * The newest first, those before a position. `next`: where the next page begins, which may be there with few or no uses.
   * @throws DatabaseError
   */
  async list({
    chunk,
    limit,
    before,
  }: {
    readonly chunk: number;
    readonly limit: number;
    readonly before?: UsePosition | undefined;
  }): Promise<{ readonly uses: readonly MemoryUse[]; readonly next: UsePosition | undefined }> {
    const { db } = this.#options;
    const from = before ?? { at: Number.MAX_SAFE_INTEGER, task: "", seq: 0 };
    const wanted = { ...from, limit: limit + 1 };
    const [records, [edge]] = await Promise.all([
      db.read(sql.records.bind({ ...wanted, item: `"chunk":${chunk},`, seen: `"${chunk}:` }), "long"),
      db.read(sql.edge.bind({ ...from }), "long"),
    ]);
    // Below the last record that was looked at nothing is told yet.
    const since = edge === undefined || records.length > limit ? 0 : Number(edge[0]);
    const readings = await db.read(sql.readings.bind({ ...wanted, since, line: `#${chunk} [` }), "long");
    const seen = [
      ...records.flatMap((row): Seen[] => seenIn(row, chunk)),
      ...readings.map(([id, session, time]): Seen => {
        const place = { at: Number(time), task: String(id), seq: 0 };
        return { ...place, session: String(session), how: "read", revision: undefined };
      }),
    ].sort((a, b) => b.at - a.at || (a.task < b.task ? 1 : a.task > b.task ? -1 : b.seq - a.seq));
    const shown = seen.slice(0, limit);
    const last = records.at(-1);
    const next =
      seen.length > limit
        ? placeOf(shown.at(-1)!)
        : records.length > limit
          ? { at: Number(last?.[2]), task: String(last?.[0]), seq: Number(last?.[1]) }
          : edge && { at: Number(edge[0]), task: String(edge[1]), seq: Number(edge[2]) };
    return { uses: await this.#withEffects(shown), next };
  }

  async #withEffects(seen: readonly Seen[]): Promise<readonly MemoryUse[]> {
    const { db } = this.#options;
    const tasksOf = (uses: readonly Seen[]): string => JSON.stringify([...new Set(uses.map(({ task }) => task))]);
    // A record has the time of its commit, which can be later than that of a call in the same commit, so its number is compared.
    const [calls, starts] = await Promise.all([
      db.read(sql.calls.bind({ tasks: tasksOf(seen.filter(({ seq }) => seq === 0)) }), "long"),
      db.read(sql.starts.bind({ tasks: tasksOf(seen.filter(({ seq }) => seq > 0)) }), "long"),
    ]);
    const toolbox = this.#options.toolbox();
    const hasEffect = new Map<string, boolean>();
    // A tool that is gone may have had one.
    for (const [, name] of [...calls, ...starts])
      if (!hasEffect.has(String(name))) hasEffect.set(String(name), toolbox.get(String(name))?.effect !== "pure");
    return seen.map((one) => {
      const [of, from] = one.seq === 0 ? [calls, one.at] : [starts, one.seq];
      const later = of.filter(([task, , at]) => task === one.task && Number(at) >= from);
      const names = later.map(([, name]) => String(name)).filter((name) => hasEffect.get(name));
      return { ...one, effects: [...new Set(names)] };
    });
  }
}

function placeOf({ at, task, seq }: UsePosition): UsePosition {
  return { at, task, seq };
}

/** What a record says of a memory; nothing where it was only left out, or is another one's number. */
function seenIn([task, seq, at, context, body]: readonly unknown[], chunk: number): Seen[] {
  const { items, inSight = [] } = JSON.parse(String(body)) as RecallRecord;
  const place = { at: Number(at), task: String(task), seq: Number(seq), session: String(context) };
  const shown = items.find((item) => item.chunk === chunk);
  if (shown !== undefined) return [{ ...place, how: "shown", revision: shown.revision }];
  const refs = inSight.map((ref) => ref.split(":").map(Number));
  const earlier = refs.findLast(([id]) => id === chunk);
  return earlier === undefined ? [] : [{ ...place, how: "in_sight", revision: earlier[1] }];
}
