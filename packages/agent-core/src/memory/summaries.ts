/**
 * Summaries of conversations, without a model: a file each (K15), and an index of the files.
 *
 * They are written behind the turns, and a conversation that goes on is written once for several of them. What a process
 * had not written when it ended, the next one writes: the mark says from when on.
 */
import type { Clock, Timer } from "../clock/index.ts";
import { isStoreGone } from "../database/index.ts";
import { type CommittedEvent, isTerminalState, type TaskView } from "../event/index.ts";
import { OPERATOR_CLASS } from "../share/index.ts";
import { MemoryError } from "./memory-error.ts";
import type { SessionSource, SessionSources } from "./session-source.ts";
import { type SessionSummary, summaryOf } from "./session-summary.ts";
import type { SummaryFolder } from "./summary-folder.ts";
import type { SummaryCursor, SummaryEntry, SummaryIndex, SummarySearch } from "./summary-index.ts";

export interface SummariesOptions {
  readonly sources: Pick<SessionSources, "read" | "changedSince">;
  readonly folder: Pick<SummaryFolder, "read" | "size" | "write" | "remove">;
  readonly index: Pick<SummaryIndex, "write" | "remove" | "clean" | "list" | "find" | "search" | "mark" | "close">;
  /** Whether the index has been made: reading makes none. */
  readonly exists: () => boolean;
  /** Whether new ones are written. Asked at each. */
  readonly writes: () => boolean;
  /** Resolves when the list of sessions has every turn that ended before. */
  readonly current: () => Promise<void>;
  readonly traceOf: (task: string) => string | null;
  readonly redact: (text: string) => string;
  readonly clock: Clock;
  /** Called with each conversation whose summary changed or went. */
  readonly onChange: (session: string) => void;
  readonly onFailure: (error: unknown) => void;
}

/** How long a conversation waits for its summary, and how many are written then: they must not take a flood's processor. */
const PAUSE_MS = 1_000;
const PAUSE_AFTER_FAILURE_MS = 30_000;
const AT_ONCE = 25;
/** How many who reads them waits for: the newest. */
const MOST_AWAITED = 100;
/** Conversations that wait; more of them are found in the store. */
const MOST_WAITING = 10_000;
/** How far a first start looks back. */
const DAY_MS = 86_400_000;
/** Turns are noted a little after the time they bear. */
const OVERLAP_MS = 60_000;

type WrittenSummary = Parameters<SummaryIndex["write"]>[0][number];

/** The summaries of all conversations. */
export class Summaries {
  readonly #options: SummariesOptions;
  /** Conversations that wait, with when their turn ended. */
  #due = new Map<string, number>();
  /** Those of which a summary is being written. */
  readonly #underway = new Map<string, number>();
  #timer: Timer | undefined;
  #working: Promise<unknown> = Promise.resolve();
  #isMissing = false;
  #isClosed = false;
  #hasFailed = false;

  constructor(options: SummariesOptions) {
    this.#options = options;
  }

  /** To be called with every commit of a task: microseconds. */
  onCommit(view: Readonly<TaskView>, events: readonly CommittedEvent[]): void {
    if (!isTerminalState(view.state) || !isSummedUp(view) || !this.#options.writes()) return;
    if (this.#due.size >= MOST_WAITING && !this.#due.has(view.context)) this.#isMissing = true;
    else if (!this.#due.has(view.context)) this.#due.set(view.context, events.at(-1)?.at ?? this.#options.clock.now());
    this.#wake();
  }

  /** Looks for what a former process had not written. */
  start(): void {
    if (!this.#options.writes()) return;
    this.#isMissing = true;
    this.#wake();
  }

  /** Newest first. @throws DatabaseError */
  async list(limit: number, after?: SummaryCursor): Promise<readonly SummaryEntry[]> {
    await this.settled();
    if (!this.#options.exists()) return [];
    const { index, folder } = this.#options;
    const found: SummaryEntry[] = [];
    for (let cursor = after; found.length < limit; ) {
      const page = await index.list(limit, cursor);
      for (const entry of page) {
        // A file that was deleted by hand is gone.
        const bytes = await folder.size(entry.session);
        if (bytes === undefined) await this.#alone(() => index.remove(entry.session));
        else if (found.length < limit) found.push({ ...entry, bytes });
      }
      cursor = page.at(-1);
      if (page.length < limit) break;
    }
    return found;
  }

  /** @throws MemoryError unknown_session, damaged */
  async read(session: string): Promise<{ readonly entry: SummaryEntry; readonly summary: SessionSummary }> {
    await this.settled();
    const { index, folder, exists } = this.#options;
    const entry = exists() ? await index.find(session) : undefined;
    const summary = entry === undefined ? undefined : await folder.read(session);
    if (entry === undefined || summary === undefined)
      throw new MemoryError("unknown_session", "there is no summary of this conversation");
    return { entry, summary };
  }

  /** Those whose words fit best. @throws DatabaseError */
  async search(search: SummarySearch): Promise<Awaited<ReturnType<SummaryIndex["search"]>>> {
    await this.settled();
    return this.#options.exists() ? this.#options.index.search(search) : [];
  }

  /** Whether there is one. @throws DatabaseError */
  async has(session: string): Promise<boolean> {
    if (this.#due.has(session) || this.#underway.has(session)) return true;
    const { index, folder, exists } = this.#options;
    return (exists() && (await index.find(session)) !== undefined) || (await folder.size(session)) !== undefined;
  }

  /** Removes one until its conversation goes on. False: there was none. Repeating it changes nothing. @throws DatabaseError */
  async remove(session: string): Promise<boolean> {
    const waited = this.#due.delete(session);
    return this.#alone(async () => {
      const { index, folder, exists, onChange } = this.#options;
      const isIndexed = exists() && (await index.find(session)) !== undefined;
      const isFiled = (await folder.size(session)) !== undefined;
      await folder.remove(session);
      const isThere = isIndexed || isFiled;
      // A process that ended may have removed it, and left its words.
      if (exists()) await (isThere ? index.remove(session) : index.clean());
      if (!isThere) return waited;
      onChange(session);
      return true;
    });
  }

  /** The conversation is being deleted. */
  async forget(session: string): Promise<void> {
    await this.remove(session);
  }

  /** Resolves when the newest conversations that waited have theirs, or cannot have it. */
  async settled(): Promise<void> {
    if (this.#due.size === 0 && !this.#isMissing) await this.#working;
    else await this.#alone(() => this.#write(MOST_AWAITED, "newest"));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#timer?.cancel();
    await this.#alone(() => this.#write(AT_ONCE));
    await this.#options.index.close();
  }

  #wake(): void {
    if (this.#isClosed) return;
    this.#timer ??= this.#options.clock.setTimeout(
      () => {
        this.#timer = undefined;
        void this.#alone(() => this.#write(AT_ONCE)).finally(() => {
          if (this.#due.size > 0 || this.#isMissing) this.#wake();
        });
      },
      this.#hasFailed ? PAUSE_AFTER_FAILURE_MS : PAUSE_MS,
      { background: true },
    );
  }

  /** Writes the summaries of so many conversations that wait. Never rejects: what cannot be written is tried again. */
  async #write(most: number, first: "oldest" | "newest" = "oldest"): Promise<void> {
    if (this.#due.size === 0 && !this.#isMissing) return;
    try {
      await this.#options.current();
      if (this.#isMissing) await this.#findMissing();
      const due = first === "newest" ? [...this.#due].slice(-most) : [...this.#due].slice(0, most);
      if (due.length === 0) return;
      const written = await this.#files(due);
      await this.#options.index.write(written, this.#upTo());
      for (const { summary } of written) this.#options.onChange(summary.session_id);
      this.#hasFailed = false;
    } catch (error) {
      for (const [id, at] of this.#underway) this.#due.set(id, Math.min(at, this.#due.get(id) ?? at));
      this.#isMissing = true;
      const isNew = !this.#hasFailed;
      this.#hasFailed = true;
      if (isNew && !isStoreGone(error)) this.#options.onFailure(error);
    } finally {
      this.#underway.clear();
    }
  }

  /** Writes the files. What they are made of is read together, so that the store's thread is asked once for many of them. */
  async #files(due: readonly (readonly [string, number])[]): Promise<readonly WrittenSummary[]> {
    const written: WrittenSummary[] = [];
    for (let from = 0; from < due.length; from += AT_ONCE) {
      const some = due.slice(from, from + AT_ONCE);
      for (const [id, at] of some) {
        // A turn that ends from here on makes it due again.
        this.#due.delete(id);
        this.#underway.set(id, at);
      }
      const sources = await Promise.all(some.map(([id]) => this.#options.sources.read(id)));
      // One after the other: a conversation and a version of it have the same file.
      for (const source of sources) {
        const one = source && (await this.#file(source));
        if (one !== undefined) written.push(one);
      }
    }
    return written;
  }

  async #file(source: SessionSource): Promise<WrittenSummary | undefined> {
    const { redact, traceOf, folder } = this.#options;
    const [newest] = source.turns;
    if (newest === undefined) return undefined;
    const summary = summaryOf({ ...source, redact, trace: traceOf(newest.task) });
    return summary && { summary, bytes: await folder.write(summary) };
  }

  async #findMissing(): Promise<void> {
    const { index, exists, clock, sources } = this.#options;
    const since = (exists() ? await index.mark() : undefined) ?? clock.now() - DAY_MS;
    const changed = await sources.changedSince(since, MOST_WAITING);
    for (const id of changed) if (this.#due.size < MOST_WAITING) this.#due.set(id, this.#due.get(id) ?? since);
    this.#isMissing = false;
  }

  /** From when on conversations may have none. */
  #upTo(): number {
    const { clock } = this.#options;
    return Math.min(clock.now(), ...this.#due.values()) - OVERLAP_MS;
  }

  #alone<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#working.then(work);
    this.#working = done.catch(() => {});
    return done;
  }
}

/** Turns of the operator, not what is done for a call or without a trace (K3, K4), nor a direct call (M19). */
function isSummedUp({ class: callerClass, role, origin, history, models, toolCalls }: Readonly<TaskView>): boolean {
  if (callerClass !== OPERATOR_CLASS || role !== undefined || origin === "auxiliary" || origin === "subagent")
    return false;
  // A turn calls tools where a model asks for them.
  if (models.length === 0 && toolCalls.length > 0) return false;
  const [first] = history;
  return !(first?.from === "caller" && first.message.metadata?.incognito === true);
}
