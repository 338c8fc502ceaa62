/**
 * Extracts memories from conversations that rest (K14): a task asks a model for a summary and facts, which are stored.
 *
 * Invariants
 *  KM9   A conversation that may be harvested leaves the store by its age only after its harvest.
 *  KM12  Of each turn memories are extracted once: what a task answered is stored under its id, and the mark moves after it.
 */
import type { Clock } from "../../clock/index.ts";
import { isStoreGone } from "../../database/index.ts";
import type { NewMemory } from "../../knowledge/index.ts";
import type { HarvestQuestion } from "../../model/index.ts";
import { MemoryError } from "../memory-error.ts";
import type { Harvest } from "./harvest-answer.ts";
import { type HarvestRow, type HarvestRows, MOST_TRIES } from "./harvest-rows.ts";
import type { HarvestSource } from "./harvest-source.ts";
import type { Asked, HarvestTasks } from "./harvest-tasks.ts";

export interface HarvestsOptions {
  readonly rows: Pick<
    HarvestRows,
    "markIdle" | "mark" | "next" | "read" | "asked" | "done" | "failed" | "forget" | "stuck"
  >;
  readonly tasks: Pick<HarvestTasks, "ask" | "begun" | "cancel">;
  /** Undefined: the session is gone, or has no turns. */
  readonly source: (session: string, upto: string) => Promise<HarvestSource | undefined>;
  /** What is known of a conversation that memories are stored with; undefined: it is gone. */
  readonly about: (session: string) => Promise<{ readonly topic: string; readonly outside: boolean } | undefined>;
  /** Facts that may say the same. */
  readonly known: (text: string) => Promise<HarvestQuestion["known"]>;
  readonly remember: (memory: NewMemory, call: string) => Promise<unknown>;
  readonly subjectOf: (id: number) => Promise<Pick<NewMemory, "subject" | "kind"> | undefined>;
  /** Deletes what a task was shown and answered; its numbers stay. Must be repeatable. */
  readonly erase: (task: string) => Promise<void>;
  /** Whether a turn of it runs or waits. */
  readonly isActive: (session: string) => Promise<boolean>;
  /** Removes a conversation whose age has come, with its row. */
  readonly remove: (session: string) => Promise<void>;
  /** Read at each look. */
  readonly settings: () => HarvestSettings;
  readonly clock: Clock;
  readonly warn: (message: string) => void;
}

export interface HarvestSettings {
  /** Whether any is extracted. */
  readonly on: boolean;
  /** Whether facts are, beside the summary. */
  readonly facts: boolean;
  /** Minutes after which one rests; 0: none is harvested because it rests. */
  readonly idleMinutes: number;
  /** Whether it may be asked without anyone asking for it: what it costs was chosen, or is nothing. */
  readonly asksUnasked: boolean;
}

const LOOK_MS = 60_000;
const HOUR_MS = 3_600_000;
const MOST_AN_HOUR = 60;
/** Characters of a conversation by which known facts are looked for. */
const ASKED_CHARACTERS = 2_000;

export class Harvests {
  readonly #options: HarvestsOptions;
  #working: Promise<unknown> = Promise.resolve();
  #lookedAt = Number.NEGATIVE_INFINITY;
  /** When harvests of the last hour began. */
  #recent: number[] = [];
  #isLooking = false;
  #isStopped = true;
  #warnedOf = 0;

  constructor(options: HarvestsOptions) {
    this.#options = options;
  }

  start(): void {
    this.#isStopped = false;
  }

  /** Begins none any more. What a task answers later is taken by the next process. */
  stop(): void {
    this.#isStopped = true;
  }

  /** Looks once a minute for what is due. */
  tick(): void {
    const { clock } = this.#options;
    if (this.#isStopped || this.#isLooking || clock.now() - this.#lookedAt < LOOK_MS) return;
    this.#lookedAt = clock.now();
    this.#isLooking = true;
    void this.#alone(() => this.#look())
      .catch((error: unknown) => {
        if (!isStoreGone(error)) this.#options.warn(`memories are not extracted now: ${String(error)}`);
      })
      .finally(() => {
        this.#isLooking = false;
      });
  }

  /** Extracts now. False: there is nothing to extract, or memory is off. @throws MemoryError harvest_failed */
  harvest(session: string): Promise<boolean> {
    return this.#alone(async () => {
      if (!this.#options.settings().on) return false;
      await this.#options.rows.mark(session, { removal: false, again: true });
      const row = await this.#options.rows.read(session);
      return row !== undefined && (await this.#harvest(row));
    });
  }

  /** True: the conversation whose age has come is harvested first, and removed then. @throws DatabaseError */
  async deferRemoval(session: string): Promise<boolean> {
    if (!this.#options.settings().on) return false;
    await this.#options.rows.mark(session, { removal: true, again: false });
    const row = await this.#options.rows.read(session);
    return row !== undefined && row.due > row.upto;
  }

  /** The conversation is being deleted. */
  async forget(session: string): Promise<void> {
    const row = await this.#options.rows.read(session);
    await this.#options.rows.forget(session);
    if (row?.task !== undefined) await this.#options.tasks.cancel(row.task);
  }

  async #look(): Promise<void> {
    const { rows, settings, clock, warn } = this.#options;
    const { on, idleMinutes, asksUnasked } = settings();
    if (!on) return;
    const now = clock.now();
    if (idleMinutes > 0 && asksUnasked) await rows.markIdle(now - idleMinutes * 60_000, now);
    this.#recent = this.#recent.filter((at) => at > now - HOUR_MS);
    while (!this.#isStopped && this.#recent.length < MOST_AN_HOUR) {
      const row = await rows.next(clock.now());
      if (row === undefined) break;
      this.#recent.push(clock.now());
      await this.#harvest(row).catch((error: unknown) => {
        if (!(error instanceof MemoryError)) throw error;
      });
    }
    const stuck = await rows.stuck();
    if (stuck > this.#warnedOf)
      warn(
        `${stuck} conversations stay past their age, because no memories could be extracted of them in ${MOST_TRIES} tries`,
      );
    this.#warnedOf = stuck;
  }

  /** @throws MemoryError harvest_failed */
  async #harvest(row: HarvestRow): Promise<boolean> {
    const { rows, clock, source, about, tasks } = this.#options;
    // A task that a former process began is taken up: what it answers is about what it was shown.
    const begun = row.task === undefined ? undefined : await tasks.begun(row.task);
    const known = await about(row.session);
    const asked = begun ?? (known && (await this.#question(await source(row.session, row.upto))));
    if (known === undefined || asked === undefined || asked.question.messages.length === 0) {
      await this.#settle(row, asked?.upto ?? row.upto);
      return false;
    }
    const answered = await tasks.ask(row, asked);
    if (answered.harvest === undefined) {
      await rows.failed(row.session, answered.counts, clock.now());
      throw new MemoryError("harvest_failed", answered.problem);
    }
    await this.#store(row.session, answered.harvest, { ...asked, ...known, task: answered.task });
    await this.#settle(row, asked.upto);
    return true;
  }

  async #question(source: HarvestSource | undefined): Promise<Asked | undefined> {
    if (source === undefined) return undefined;
    const { messages, newest: upto, endedAt } = source;
    const said = messages.filter(({ from }) => from === "person").map(({ text }) => text);
    const known = messages.length === 0 ? [] : await this.#options.known(said.join("\n").slice(-ASKED_CHARACTERS));
    return { question: { messages, known }, upto, endedAt };
  }

  async #settle(row: HarvestRow, upto: string): Promise<void> {
    const { rows, remove, isActive } = this.#options;
    // Who goes on with a conversation keeps it.
    if (row.removal && upto >= row.due && !(await isActive(row.session))) await remove(row.session);
    else await rows.done(row, upto);
  }

  /** Under the task's id, so that it is stored once; nothing of the conversation stays with the task. */
  async #store(
    session: string,
    { summary, facts }: Harvest,
    { task, topic, outside, endedAt }: Storing,
  ): Promise<void> {
    const { remember, subjectOf, settings, erase } = this.#options;
    const trust = outside ? "outside" : "agent";
    const about = { session, task, policy: "retrieved", expiresAt: undefined, trust } as const;
    const date = new Date(endedAt).toISOString().slice(0, 19).replace("T", " ");
    const heading = `${topic.slice(0, 150).toWellFormed()} (${date})`;
    const told = { content: summary, domain: "conversation", kind: "episode", subject: "", heading } as const;
    await remember({ ...about, ...told, held: undefined }, `${task}:summary`);
    for (const [no, { content, replaces, ...fact }] of (settings().facts ? facts : []).entries()) {
      const replaced = replaces === undefined ? undefined : await subjectOf(replaces);
      const { subject, kind } = replaced ?? fact;
      const held = outside && (kind === "standing" || kind === "profile") ? HELD : undefined;
      await remember({ ...about, content, domain: "fact", kind, subject, heading: "", held }, `${task}:${no}`);
    }
    await erase(task);
  }

  #alone<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#working.then(work);
    this.#working = done.catch(() => {});
    return done;
  }
}

const HELD = "the conversation it was extracted from holds content from outside";

type Storing = Pick<Asked, "endedAt"> & { readonly task: string; readonly topic: string; readonly outside: boolean };
