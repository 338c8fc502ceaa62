/** Copies of memories in conversations: what turns recalled, results of memory tools, questions about them, and summaries (K12). */
import { type Database, namedStatement, type Row, type Statement } from "../../database/index.ts";
import { FORGOTTEN, inEveryText } from "./without-memories.ts";

/** A conversation. */
export interface ConversationOf {
  readonly class: string;
  readonly context: string;
}

export interface ConversationCopiesOptions {
  /** The engine's store. */
  readonly db: Database;
  /** Drops what is kept in memory of a conversation. */
  readonly forget: (conversation: ConversationOf) => void;
}

/** What is taken out. */
export interface TakenOut {
  readonly ids: readonly number[];
  /** Conversations of which lines and texts were shown. */
  readonly sessions: readonly string[];
  readonly rewrite: (text: string) => string;
  /** Conversations in which the memories were written: what the agent summarised there may hold them. */
  readonly written: readonly ConversationOf[];
  /** Only this conversation. */
  readonly only?: ConversationOf;
}

/** What was found. */
export interface FoundCopies {
  readonly frames: number;
  readonly summaries: number;
  /** All conversations that were shown the memories, those included from which they were taken before. */
  readonly conversations: readonly ConversationOf[];
}

const PAGE = 100;
const ONLY = "(:context IS NULL OR (class = :class AND context = :context))";
const sql = {
  recalled: namedStatement(
    `SELECT id, class, context, body FROM message WHERE kind = 'recalled' AND id > :after AND ${ONLY} AND EXISTS (
       SELECT 1 FROM json_each(body, '$.refs') AS ref WHERE CAST(ref.value AS INTEGER) IN (SELECT value FROM json_each(:ids))
         OR ref.value IN (SELECT 'session:' || value FROM json_each(:sessions)))
     ORDER BY id LIMIT ${PAGE}`,
  ),
  calls: namedStatement(
    `SELECT id, class, context, task, result, name, args FROM call
     WHERE name IN ('memory_recall', 'memory_list', 'forget_memory', 'session_search', 'recall_session') AND id > :after AND ${ONLY} ORDER BY id LIMIT ${PAGE}`,
  ),
  events: namedStatement(
    "SELECT seq, body FROM event WHERE task = :task AND kind IN ('tool.finished', 'task.parked') ORDER BY seq LIMIT 5000",
  ),
  /** Questions whether a memory may be forgotten: those that wait have no row of a call yet. */
  questions: namedStatement(
    `SELECT id, class, context, task, payload FROM prompt WHERE instr(payload, 'Forget memory') > 0 AND id > :after AND ${ONLY}
     ORDER BY id LIMIT ${PAGE}`,
  ),
  prompts: namedStatement("SELECT id, payload FROM prompt WHERE task = :task LIMIT 1000"),
  summaries: namedStatement(
    `SELECT id, body FROM message WHERE class = :class AND context = :context AND kind = 'compaction' AND id > :after
     ORDER BY id LIMIT ${PAGE}`,
  ),
  setMessage: namedStatement("UPDATE message SET body = :body WHERE id = :id"),
  setCall: namedStatement("UPDATE call SET result = :result WHERE id = :id"),
  setEvent: namedStatement("UPDATE event SET body = :body WHERE task = :task AND seq = :seq"),
  setPrompt: namedStatement("UPDATE prompt SET payload = :payload WHERE id = :id"),
};

/** Finds copies of memories in conversations, and takes them out. Every step can be repeated. */
export class ConversationCopies {
  readonly #options: ConversationCopiesOptions;

  constructor(options: ConversationCopiesOptions) {
    this.#options = options;
  }

  /** How many frames and results show them. @throws DatabaseError */
  count(what: TakenOut): Promise<FoundCopies> {
    return this.#walk(what, false);
  }

  /** Takes them out; the words are overwritten in the file. @throws DatabaseError */
  remove(what: TakenOut): Promise<FoundCopies> {
    return this.#walk(what, true);
  }

  async #walk(what: TakenOut, removes: boolean): Promise<FoundCopies> {
    const found = new Map<string, ConversationOf>(what.written.map((one) => [keyOf(one), one]));
    const note = (one: ConversationOf): unknown => found.set(keyOf(one), one);
    const frames = (await this.#frames(what, removes, note)) + (await this.#results(what, removes, note));
    await this.#questions(what, removes, note);
    let summaries = 0;
    for (const conversation of found.values()) summaries += await this.#summaries(conversation, what, removes);
    if (removes) for (const conversation of found.values()) this.#options.forget(conversation);
    return { frames, summaries, conversations: [...found.values()] };
  }

  async #frames(what: TakenOut, removes: boolean, note: (one: ConversationOf) => unknown): Promise<number> {
    const bound = { ids: JSON.stringify(what.ids), sessions: JSON.stringify(what.sessions), ...onlyOf(what) };
    let count = 0;
    for await (const rows of this.#pages((after) => sql.recalled.bind({ ...bound, after }), 0)) {
      const changes: Statement[] = [];
      for (const [id, callerClass, context, body] of rows) {
        note({ class: String(callerClass), context: String(context) });
        const after = inEveryText(String(body), what.rewrite);
        if (after !== body) changes.push(sql.setMessage.bind({ id: Number(id), body: after }));
      }
      count += changes.length;
      if (removes) await this.#commit(changes);
    }
    return count;
  }

  async #results(what: TakenOut, removes: boolean, note: (one: ConversationOf) => unknown): Promise<number> {
    let count = 0;
    const ids = new Set(what.ids);
    for await (const rows of this.#pages((after) => sql.calls.bind({ ...onlyOf(what), after }), "")) {
      for (const [id, callerClass, context, task, result, name, args] of rows) {
        const before = result == null ? "" : String(result);
        const after = what.rewrite(before);
        const isAbout = name === "forget_memory" && ids.has(chunkOf(String(args)));
        if (!isAbout && !before.includes(FORGOTTEN) && after === before) continue;
        note({ class: String(callerClass), context: String(context) });
        if (after !== before) count++;
        if (!removes) continue;
        const changes = after === before ? [] : [sql.setCall.bind({ id: String(id), result: after })];
        await this.#commit([...changes, ...(await this.#ofTask(String(task), what))]);
      }
    }
    return count;
  }

  async #questions(what: TakenOut, removes: boolean, note: (one: ConversationOf) => unknown): Promise<void> {
    for await (const rows of this.#pages((after) => sql.questions.bind({ ...onlyOf(what), after }), "")) {
      for (const [, callerClass, context, task, payload] of rows) {
        if (inEveryText(String(payload), what.rewrite) === payload) continue;
        note({ class: String(callerClass), context: String(context) });
        if (removes) await this.#commit(await this.#ofTask(String(task), what));
      }
    }
  }

  /** What the journal says of a turn's calls, and what a person was asked. */
  async #ofTask(task: string, { rewrite }: TakenOut): Promise<readonly Statement[]> {
    const { db } = this.#options;
    const [events, prompts] = await Promise.all([
      db.read(sql.events.bind({ task }), "long"),
      db.read(sql.prompts.bind({ task }), "long"),
    ]);
    return [
      ...changed(events, rewrite, (seq, body) => sql.setEvent.bind({ task, seq: Number(seq), body })),
      ...changed(prompts, rewrite, (id, payload) => sql.setPrompt.bind({ id: String(id), payload })),
    ];
  }

  async #summaries(of: ConversationOf, { rewrite }: TakenOut, removes: boolean): Promise<number> {
    let count = 0;
    for await (const rows of this.#pages((after) => sql.summaries.bind({ ...of, after }), 0)) {
      const changes = changed(rows, rewrite, (id, body) => sql.setMessage.bind({ id: Number(id), body }));
      count += changes.length;
      if (removes) await this.#commit(changes);
    }
    return count;
  }

  async *#pages<Key extends string | number>(
    read: (after: Key) => Statement,
    first: Key,
  ): AsyncGenerator<readonly Row[]> {
    for (let after = first; ; ) {
      const rows = await this.#options.db.read(read(after), "long");
      if (rows.length > 0) yield rows;
      if (rows.length < PAGE) return;
      after = rows.at(-1)![0] as Key;
    }
  }

  async #commit(statements: readonly Statement[]): Promise<void> {
    if (statements.length > 0) await this.#options.db.commit({ label: "memory.forget", statements, overwrite: true });
  }
}

function changed(
  rows: readonly Row[],
  rewrite: (text: string) => string,
  change: (key: unknown, body: string) => Statement,
): readonly Statement[] {
  return rows.flatMap(([key, body]) => {
    const after = inEveryText(String(body), rewrite);
    return after === body ? [] : [change(key, after)];
  });
}

function onlyOf({ only }: TakenOut) {
  return { class: only?.class ?? "", context: only?.context ?? null };
}

function keyOf({ class: callerClass, context }: ConversationOf): string {
  return `${callerClass}\u0000${context}`;
}

/** The number of the memory that a call is about. */
function chunkOf(args: string): number {
  try {
    return Number((JSON.parse(args) as { readonly chunk_id?: unknown }).chunk_id);
  } catch {
    return Number.NaN;
  }
}
