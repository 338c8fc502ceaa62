/**
 * Forgets memories for good, with every copy of them (K12).
 *
 * Invariants
 *  KM6  What is to be forgotten is durable before anything is removed: the memories are hidden in the same commit. Copies go
 *       first and the memories themselves last, so that after a kill the next process knows what to look for. When the call
 *       is answered, no row, index, vector, frame or log of memory holds the text.
 *  KM11 A turn that held a forgotten memory while it was forgotten leaves no copy behind: its conversation is cleaned
 *       again when it ends, and by the next process.
 */
import { isTerminalState, type TaskView } from "../../event/index.ts";
import {
  type Chosen,
  type Copied,
  chooseMemories,
  type ForgetCounts,
  type ForgetScope,
  idsOf,
  NOTHING,
} from "./forget-scope.ts";
import type { ForgettingOptions, SessionSummaries } from "./forgetting-options.ts";
import { attachedTo, knownOf, numbersOf, type Receipt, receiptOf, vectorsOf, type Written } from "./forgetting-rows.ts";
import { forgettingStatements } from "./forgetting-statements.ts";
import { withoutMemories } from "./without-memories.ts";

interface Intent extends Chosen {
  readonly id: number;
}

interface Done {
  readonly counts: ForgetCounts;
  readonly doneAt: number;
}

/** Memories deleted in a commit. */
const BITE = 100;
const DAY_MS = 86_400_000;
/** Milliseconds between two tries to go on. */
const RETRY_MS = 10_000;

/** Forgets memories for good, and keeps receipts of it. */
export class Forgetting {
  readonly #options: ForgettingOptions;
  readonly #sql = forgettingStatements();
  /** What turns may hold that began before it was forgotten. */
  #recent: { readonly at: number; readonly intent: Intent; readonly rewrite: (text: string) => string }[] = [];
  /** Those that are being carried out, by number. */
  readonly #underWay = new Set<number>();
  /** Something is left to be carried out. */
  #isLeft = false;
  #triedAt = 0;
  #cleaning: Promise<unknown> = Promise.resolve();
  #summaries: SessionSummaries = { has: async () => false, remove: async () => false };

  constructor(options: ForgettingOptions) {
    this.#options = options;
  }

  /** Forgets the summaries of conversations too from here on. */
  useSummaries(summaries: SessionSummaries): void {
    this.#summaries = summaries;
  }

  /** What would be forgotten; nothing changes. @throws DatabaseError */
  async count(scope: ForgetScope): Promise<ForgetCounts> {
    const { store, copies } = this.#options;
    const summary = scope.kind === "session" && (await this.#summaries.has(scope.session)) ? 1 : 0;
    if (!this.#options.exists()) {
      if (scope.kind !== "session") return NOTHING;
      const { frames } = await copies.count(this.#takenOut({ ids: [], sessions: [scope.session] }, []));
      return { ...NOTHING, frames, summaries: summary };
    }
    const { chosen, memories, ...counts } = await store.alone(async (db) => {
      const found = await chooseMemories(db, scope);
      const [vectors, attachments] = [await vectorsOf(db, found.ids), await attachedTo(db, found)];
      return { chosen: found, memories: await knownOf(db, found.ids), vectors, attachments };
    });
    const { frames, summaries } = await copies.count(this.#takenOut(chosen, memories));
    const sources = chosen.sources.length - counts.attachments;
    return { ...counts, chunks: chosen.ids.length, frames, summaries: summaries + summary, sources };
  }

  /** Forgets; undefined: there is nothing of the kind. `erases`: bytes in the files too. @throws DatabaseError; once the intent is durable the next start goes on */
  async forget(scope: ForgetScope, { erases = true } = {}): Promise<Receipt | undefined> {
    if (!(await this.#mayForget(scope))) return undefined;
    const begunAt = this.#options.clock.now();
    const intent = await this.#options.store.alone(async (db) => {
      const chosen = await chooseMemories(db, scope);
      if (chosen.ids.length + chosen.sources.length + chosen.sessions.length === 0) return undefined;
      const ids = JSON.stringify(chosen.ids);
      const sources = JSON.stringify(chosen.sources);
      await db.commit({
        label: "knowledge.forgetting",
        statements: [
          this.#sql.hide.bind({ ids, at: begunAt }),
          this.#sql.hideSources.bind({ ids: sources }),
          ...chosen.sessions.flatMap((session) => [
            this.#sql.handOver.bind({ session }),
            this.#sql.dropEvidence.bind({ session }),
          ]),
          this.#sql.intend.bind({ scope: JSON.stringify(idsOf(scope)), chunks: ids, sources, at: begunAt }),
        ],
      });
      const [row] = await db.read(this.#sql.newest.bind({}));
      return { id: Number(row?.[0]), ...chosen };
    });
    if (intent === undefined) return undefined;
    this.#publish(intent);
    const { counts, doneAt } = await this.#carryOut(intent, erases);
    return { id: intent.id, scope: scope.kind, counts, begunAt, doneAt };
  }

  /**
   * Forgets what turns of a conversation stored, and what is kept of it. Bytes of it may stay in the files: whoever deletes the
   * conversation erases them when its rows are gone too. @throws DatabaseError
   */
  async forgetSession(session: string): Promise<ForgetCounts> {
    return (await this.forget({ kind: "session", session }, { erases: false }))?.counts ?? NOTHING;
  }

  /** Goes on with what a former process left. */
  start(): void {
    if (this.#options.exists()) this.#goOn();
  }

  /** Goes on with what could not be done, if it is time to. */
  tick(): void {
    if (this.#isLeft && this.#options.clock.now() - this.#triedAt >= RETRY_MS) this.#goOn();
  }

  #goOn(): void {
    this.#isLeft = false;
    this.#triedAt = this.#options.clock.now();
    this.#resume().catch((error: unknown) => {
      this.#isLeft = true;
      this.#options.onFailure(error);
    });
  }

  async #resume(): Promise<void> {
    const rows = await this.#options.store.alone((db) => db.read(this.#sql.unfinished.bind({}), "long"));
    for (const [id, scope, chunks, sources, isDone] of rows) {
      // What turns of this process may hold is settled a day later.
      if (this.#underWay.has(Number(id)) || this.#recent.some(({ intent }) => intent.id === Number(id))) continue;
      const { session } = JSON.parse(String(scope)) as { readonly session?: string };
      const found = { ids: numbersOf(chunks), sources: numbersOf(sources) };
      const intent = { id: Number(id), ...found, sessions: session === undefined ? [] : [session] };
      if (Number(isDone) === 0) {
        await this.#carryOut(intent);
        continue;
      }
      await this.#clean(intent, []);
      await this.#options.eraseRemains();
      await this.#settle(intent.id);
    }
  }

  /** Forgets what the agent removed more than a day ago. @throws DatabaseError */
  async sweep(): Promise<void> {
    const before = this.#options.clock.now() - DAY_MS;
    while ((await this.forget({ kind: "expired", before })) !== undefined);
    const old = this.#recent.filter(({ at }) => at < before);
    this.#recent = this.#recent.filter(({ at }) => at >= before);
    for (const { intent } of old) await this.#settle(intent.id);
  }

  /** A turn that ends may have held what was forgotten meanwhile (KM11). Call it after each commit. */
  noteEnd({ class: callerClass, context, createdAt, state }: Readonly<TaskView>): void {
    if (this.#recent.length === 0 || !isTerminalState(state)) return;
    const held = this.#recent.filter(({ at }) => at >= createdAt);
    if (held.length === 0) return;
    const only = { class: callerClass, context };
    const clean = async (): Promise<void> => {
      for (const { intent, rewrite } of held) {
        const { ids, sessions } = intent;
        await this.#options.copies.remove({ ids, sessions, rewrite, written: [only], only });
        await this.#options.rewriteTexts({ conversations: [only], rewrite });
      }
      await this.#options.eraseRemains();
    };
    void this.#oneAtATime(clean).catch(this.#options.onFailure);
  }

  /** Newest first, below the number `before`. @throws DatabaseError */
  async receipts(limit: number, before = Number.MAX_SAFE_INTEGER): Promise<readonly Receipt[]> {
    if (!this.#options.exists()) return [];
    const rows = await this.#options.store.alone((db) => db.read(this.#sql.receipts.bind({ limit, before }), "long"));
    return rows.map(receiptOf);
  }

  async #carryOut(intent: Intent, erases = true): Promise<Done> {
    this.#underWay.add(intent.id);
    try {
      return await this.#remove(intent, erases);
    } catch (error) {
      this.#isLeft = true;
      this.#triedAt = this.#options.clock.now();
      throw error;
    } finally {
      this.#underWay.delete(intent.id);
    }
  }

  async #remove(intent: Intent, erases: boolean): Promise<Done> {
    const { store, forgetSource, clock } = this.#options;
    const { ids } = intent;
    const { memories, ...found } = await store.alone(async (db) => ({
      memories: await knownOf(db, ids),
      vectors: await vectorsOf(db, ids),
      attachments: await attachedTo(db, intent),
    }));
    await this.#options.withdrawHidden();
    let removed = 0;
    for (const session of intent.sessions) if (await this.#summaries.remove(session)) removed++;
    const { frames, summaries } = await this.#clean(intent, memories);
    const { rewrite } = this.#takenOut(intent, memories);
    this.#recent.push({ at: clock.now(), intent, rewrite });
    for (const source of intent.sources) await forgetSource(source);
    for (let at = 0; at < ids.length; at += BITE) {
      const bite = JSON.stringify(ids.slice(at, at + BITE));
      await store.alone((db) =>
        db.commit({
          ...{ label: "knowledge.forgotten", statements: [this.#sql.remove.bind({ ids: bite })], overwrite: true },
        }),
      );
    }
    await store.index.clean();
    if (erases) await this.#options.eraseRemains();
    const sources = intent.sources.length - found.attachments;
    const counts = { ...found, chunks: ids.length, frames, summaries: summaries + removed, sources };
    const doneAt = clock.now();
    const done = this.#sql.done.bind({ id: intent.id, counts: JSON.stringify(counts), at: doneAt });
    await store.alone((db) => db.commit({ label: "knowledge.receipt", statements: [done] }));
    this.#options.bus.publish("memory.changed", { receipt_id: intent.id, action: "forgotten" });
    return { counts, doneAt };
  }

  /** Takes the copies out of conversations, and of what is kept of them elsewhere. */
  #clean(of: Copied, memories: readonly Written[]) {
    const what = this.#takenOut(of, memories);
    return this.#oneAtATime(async () => {
      const found = await this.#options.copies.remove(what);
      await this.#options.rewriteTexts({ conversations: found.conversations, rewrite: what.rewrite });
      return found;
    });
  }

  /** Two that change the same text at a time would each bring back what the other took out of it. */
  #oneAtATime<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#cleaning.then(work);
    this.#cleaning = done.catch(() => {});
    return done;
  }

  #takenOut({ ids, sessions }: Copied, memories: readonly Written[]) {
    const contents = new Map(memories.map(({ id, content }) => [id, content]));
    const known = ids.map((id) => ({ id, content: contents.get(id) ?? "" }));
    const rewrite = withoutMemories(known, sessions);
    const writers = new Set(memories.flatMap(({ session }) => (session === "" ? [] : [session])));
    const written = [...writers].map((context) => ({ class: this.#options.memoryClass, context }));
    return { ids, sessions, rewrite, written };
  }

  /** A conversation may have been shown to others without any memory of it. */
  async #mayForget(scope: ForgetScope): Promise<boolean> {
    if (scope.kind !== "session") return this.#options.exists();
    const { chunks, frames, summaries, sources, attachments } = await this.count(scope);
    if (chunks + frames + summaries + sources + attachments > 0) return true;
    // What others said too stays, without this conversation as its evidence.
    const said = this.#sql.saidIn.bind({ session: scope.session });
    return this.#options.exists() && (await this.#options.store.alone((db) => db.read(said))).length > 0;
  }

  #publish({ ids, sources }: Chosen): void {
    const { bus } = this.#options;
    for (const id of ids.slice(0, BITE)) bus.publish("knowledge.changed", { id, action: "removed" });
    for (const source_id of sources) bus.publish("knowledge.changed", { source_id, action: "source_removed" });
  }

  async #settle(id: number): Promise<void> {
    const settled = this.#sql.settled.bind({ id, at: this.#options.clock.now() });
    await this.#options.store.alone((db) => db.commit({ label: "knowledge.settled", statements: [settled] }));
  }
}
