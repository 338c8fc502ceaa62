/** What turns were shown of memory, and what a message would be shown (K20). */
import { type Database, namedStatement } from "../database/index.ts";
import type { RecalledMemory, RecallRecord } from "../event/index.ts";
import type { Engine } from "../feature/index.ts";
import { OPERATOR_CLASS } from "../share/index.ts";
import type { Recall } from "./recall.ts";
import { MemoryUses } from "./uses.ts";

const NO_REFS: ReadonlySet<string> = new Set();

const statements = () => ({
  list: namedStatement(
    `SELECT event.task, event.seq, event.at, task.context, event.body FROM event JOIN task ON task.id = event.task
     WHERE event.kind = 'context.recalled' AND (event.at, event.task, event.seq) < (:at, :task, :seq)
       AND task.class = '${OPERATOR_CLASS}' AND task.context = coalesce(:session, task.context)
     ORDER BY event.at DESC, event.task DESC, event.seq DESC LIMIT :limit`,
  ),
});

/** Where a record stands among all. */
export interface InjectionPosition {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly task: string;
  readonly seq: number;
}

/** What was recalled before a model call. */
export interface Injection extends InjectionPosition {
  readonly session: string;
  readonly record: RecallRecord;
}

export interface InjectionsOptions {
  readonly db: Database;
  readonly recall: Pick<Recall, "recall">;
  /** Tokens of the lead model's window. @throws ModelError */
  readonly windowTokens: () => number;
  /** What a conversation sees already. @throws DatabaseError */
  readonly inSight: (session: string) => Promise<ReadonlySet<string>>;
}

/** Reads what turns recalled, and tries what a message would. */
export class Injections {
  readonly #options: InjectionsOptions;
  readonly #sql = statements();

  constructor(options: InjectionsOptions) {
    this.#options = options;
  }

  /** Newest first, those before a position, of one session or all. @throws DatabaseError */
  async list({
    session,
    limit,
    before,
  }: {
    readonly session?: string | undefined;
    readonly limit: number;
    readonly before?: InjectionPosition | undefined;
  }): Promise<readonly Injection[]> {
    const { at, task, seq } = before ?? { at: Number.MAX_SAFE_INTEGER, task: "", seq: 0 };
    const bound = this.#sql.list.bind({ at, task, seq, session: session ?? null, limit });
    const rows = await this.#options.db.read(bound, "long");
    return rows.map(([id, number, time, context, body]) => ({
      ...{ task: String(id), seq: Number(number), at: Number(time), session: String(context) },
      record: JSON.parse(String(body)) as RecallRecord,
    }));
  }

  /** What a message would be shown, in a new conversation or in one that there is; nothing is stored. @throws DatabaseError */
  async preview(text: string, session: string | undefined): Promise<RecalledMemory | undefined> {
    const { recall, windowTokens, inSight } = this.#options;
    const seen = session === undefined ? NO_REFS : await inSight(session);
    const ask = { text, inSight: seen, windowTokens: windowTokens(), view: { context: session ?? "" } };
    return recall.recall(ask);
  }
}

/** What is read from records of recalling. */
export interface OpenRecords {
  /** What turns were shown, and what a message would be. */
  readonly injections: Injections;
  /** Which turns saw a memory. */
  readonly uses: MemoryUses;
}

/** Over the conversations, the lead model and the tools of an engine. */
export function openRecords(
  engine: Pick<Engine, "db" | "conversations" | "chooseModel" | "toolbox">,
  recall: Pick<Recall, "recall">,
): OpenRecords {
  const { db, conversations, chooseModel } = engine;
  return {
    injections: new Injections({
      ...{ db, recall },
      windowTokens: () => chooseModel(undefined).windowTokens,
      inSight: async (context) => (await conversations.read({ class: OPERATOR_CLASS, context })).inSight,
    }),
    uses: new MemoryUses({ db, toolbox: () => engine.toolbox }),
  };
}
