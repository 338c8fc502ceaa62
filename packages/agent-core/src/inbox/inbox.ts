/**
 * The inbox: what others put there for the agent, durable until a turn or a call has it (B39, B87
 * "Inbox"; R7, R12).
 *
 * Invariants
 *  IN1  An item that was accepted waits until it is taken (EN9).
 *  IN2  It is taken once: by a turn in the commit that accepts the turn, or by a call. It waits again if the call came to
 *       nothing, or if a restart ended the turn (A18), which twice is enough. A call that a restart makes again gets
 *       what it took before (R3).
 *  IN3  An item of priority `now` starts a turn, at most 8 in 60 s; what comes beyond that starts one when the time is there.
 */
import { ACTIVITY_CONTEXT } from "../activity/index.ts";
import type { EventBus } from "../bus/index.ts";
import type { Clock, Timer } from "../clock/index.ts";
import { type Database, DatabaseError, isExpectationError } from "../database/index.ts";
import type { JsonObject } from "../json/index.ts";
import { OPERATOR_CLASS } from "../share/index.ts";
import { type KeyStore, keyRow, type RequestKey, resultByKey, TaskError, type TaskService } from "../task/index.ts";
import { FireWindow } from "../trigger/index.ts";
import { InboxError } from "./inbox-error.ts";
import {
  INBOX_LIMITS,
  INBOX_PRIORITIES,
  type InboxAddition,
  type InboxFilter,
  type InboxItem,
  type InboxPriority,
  type NewInboxItem,
  textOfItem,
} from "./inbox-item.ts";
import { inboxStatements, itemOf } from "./inbox-statements.ts";

export interface InboxOptions {
  readonly db: Database;
  readonly journal: KeyStore["journal"];
  readonly service: Pick<TaskService, "start" | "byKey">;
  readonly clock: Clock;
  readonly log: { warn(message: string): void };
  /** Gets changes: `inbox.added`, `inbox.item`, `inbox.delivered`. */
  readonly bus: EventBus;
}

const DEDUP_MS = 300_000;
const TURNS = 8;
const TURNS_MS = 60_000;
/** Items that one turn takes at most. */
const ITEMS_PER_TURN = 20;
/** Time until a turn that could not be accepted is tried again. */
const RETRY_MS = 5_000;
/** Time an item is kept after its delivery. */
const KEPT_MS = 30 * 86_400_000;
/** Characters of an item that its events show. */
const PUBLISHED_CHARS = 4_000;
/** Times an item waits again after a restart ended its turn: it may be what brings the service down. */
const MOST_INTERRUPTED = 2;
/** Turns and calls that wait for items. */
const MOST_IN_LINE = 1_000;

/** Adds, lists and delivers items of one store's inbox, and starts turns that read them. */
export class Inbox {
  readonly #options: InboxOptions;
  readonly #sql = inboxStatements();
  readonly #window = new FireWindow(TURNS, TURNS_MS);
  /** No other process assigns ids: the store has one owner (EN11). */
  #lastId: number | undefined;
  #timer: Timer | undefined;
  /** Whoever takes items does so one after another, so that nothing is taken twice. */
  #line: Promise<unknown> = Promise.resolve();
  #inLine = 0;
  #stopped = false;

  constructor(options: InboxOptions) {
    this.#options = options;
  }

  /** Starts turns for what a former process left waiting. */
  resume(): void {
    this.#fireSoon(0);
  }

  /** Starts no turn any more. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#timer?.cancel();
    await this.#line;
  }

  /**
   * Puts an item there. Under a key once: whoever asks again is shown the item as it is (A15).
   * @throws InboxError full @throws TaskError key_conflict @throws DatabaseError
   */
  async add(item: NewInboxItem, request?: RequestKey): Promise<InboxAddition> {
    const { db, clock } = this.#options;
    const before = request && (await resultByKey(this.#options, OPERATOR_CLASS, request));
    if (before !== undefined) return this.#addedBefore(Number(before), item);
    const at = clock.now();
    const id = await this.#newId();
    const key = item.dedupKey ?? null;
    const priority = INBOX_PRIORITIES.indexOf(item.priority);
    const sameKey = { key, since: at - DEDUP_MS };
    const { text, source } = item;
    const expect = this.#sql.insert.bind({ id, text, priority, source, at, most: INBOX_LIMITS.waiting, ...sameKey });
    try {
      const sweep = this.#sql.sweep.bind({ before: at - KEPT_MS });
      const keys = request === undefined ? [] : [keyRow(this.#options, OPERATOR_CLASS, request, String(id))];
      await db.commit({ label: "inbox.add", expect, statements: [sweep, ...keys] });
    } catch (error) {
      if (!isExpectationError(error)) throw error;
      const [duplicate] = await db.read(this.#sql.duplicate.bind(sameKey));
      if (duplicate !== undefined) return { outcome: "duplicate", item: itemOf(duplicate), task: undefined };
      throw new InboxError("full", `${INBOX_LIMITS.waiting} items wait in the inbox already`);
    }
    const added: InboxItem = { id, createdAt: at, ...item, deliveredAt: undefined };
    this.#publish("inbox.added", added, {});
    const fired =
      item.priority === "now" ? await this.#inTurn(() => this.#fireWith(id)).catch(() => undefined) : undefined;
    if (fired === undefined) {
      this.#publish("inbox.item", added, {});
      return { outcome: "queued", item: added, task: undefined };
    }
    const [row] = await db.read(this.#sql.byId.bind({ id }));
    return { outcome: "fired", item: row === undefined ? added : itemOf(row), task: fired };
  }

  async #addedBefore(id: number, item: NewInboxItem): Promise<InboxAddition> {
    const { db, clock } = this.#options;
    const [[row], [turn]] = await Promise.all([
      db.read(this.#sql.byId.bind({ id })),
      db.read(this.#sql.turnWith.bind({ id })),
    ]);
    const now: InboxItem = row ? itemOf(row) : { id, createdAt: clock.now(), ...item, deliveredAt: clock.now() };
    const task = turn && String(turn[0]);
    return { outcome: task === undefined ? "queued" : "fired", item: now, task };
  }

  /** Newest first. @throws DatabaseError */
  async list({ floor, includeDelivered, limit, before }: InboxFilter): Promise<readonly InboxItem[]> {
    await this.#settle();
    const which = { floor: INBOX_PRIORITIES.indexOf(floor), delivered: includeDelivered ? 1 : 0 };
    const rows = await this.#options.db.read(
      this.#sql.list.bind({ ...which, limit, before: before ?? Number.MAX_SAFE_INTEGER }),
    );
    return rows.map(itemOf);
  }

  /**
   * Takes what waits for a call, the most urgent first. The same call gets the same items again (IN2).
   * @throws DatabaseError
   */
  async take(call: string, floor: InboxPriority, limit: number): Promise<readonly InboxItem[]> {
    return this.#inTurn(async () => {
      const { db, clock } = this.#options;
      const before = await db.read(this.#sql.takenBy.bind({ by: call }));
      if (before.length > 0) return before.map(itemOf);
      await this.#settle();
      const which = { floor: INBOX_PRIORITIES.indexOf(floor), limit };
      const items = (await db.read(this.#sql.waiting.bind(which))).map(itemOf);
      if (items.length === 0) return items;
      const ids = JSON.stringify(items.map(({ id }) => id));
      const take = this.#sql.take.bind({ by: call, at: clock.now(), ids });
      await db.commit({ label: "inbox.take", statements: [take] });
      for (const item of items) this.#publish("inbox.delivered", item, { call });
      return items;
    });
  }

  /**
   * Starts a turn with an item at once, whatever its priority. Resolves with the turn's task; undefined: the item was
   * delivered before. @throws InboxError unknown_item @throws TaskError overloaded, draining @throws DatabaseError
   */
  async deliver(id: number, key?: RequestKey): Promise<string | undefined> {
    return this.#inTurn(async () => {
      const before = key && (await this.#options.service.byKey(OPERATOR_CLASS, key));
      if (before !== undefined) return before.id;
      await this.#settle();
      const [row] = await this.#options.db.read(this.#sql.byId.bind({ id }));
      if (row === undefined) throw new InboxError("unknown_item", `there is no inbox item ${id}`);
      const item = itemOf(row);
      return item.deliveredAt === undefined ? this.#start([item], key) : undefined;
    });
  }

  async #newId(): Promise<number> {
    if (this.#lastId === undefined) {
      const [row] = await this.#options.db.read(this.#sql.lastId.bind({}));
      this.#lastId ??= Number(row?.[0] ?? 0);
    }
    this.#lastId += 1;
    return this.#lastId;
  }

  /** The turn that has an item now, started by this or, a moment before, by the clock. */
  async #fireWith(id: number): Promise<string | undefined> {
    await this.#fire();
    const [row] = await this.#options.db.read(this.#sql.turnWith.bind({ id }));
    return row === undefined ? undefined : String(row[0]);
  }

  /** Starts one turn for the `now` items that wait. */
  async #fire(): Promise<void> {
    if (this.#stopped) return;
    const { db, clock, log } = this.#options;
    try {
      await this.#settle();
      const rows = await db.read(this.#sql.waiting.bind({ floor: 0, limit: ITEMS_PER_TURN + 1 }));
      if (rows.length === 0) return;
      const wait = this.#window.wait(clock.now());
      if (wait > 0) {
        this.#fireSoon(wait);
        return;
      }
      const items = rows.slice(0, ITEMS_PER_TURN).map(itemOf);
      this.#window.note(clock.now());
      await this.#start(items);
      if (rows.length > ITEMS_PER_TURN) this.#fireSoon(0);
    } catch (error) {
      if (error instanceof TaskError && error.code === "draining") return;
      log.warn(`the inbox waits: no turn could be started (${String(error)})`);
      this.#fireSoon(RETRY_MS);
    }
  }

  async #start(items: readonly InboxItem[], key?: RequestKey): Promise<string> {
    const { service, clock } = this.#options;
    const ids = items.map(({ id }) => id);
    const text = items.map(textOfItem).join("\n\n");
    const urgent = items.map(({ priority }) => priority).toSorted(byUrgency)[0] ?? "later";
    const { view } = await service.start({
      class: OPERATOR_CLASS,
      ...(key && { key }),
      context: ACTIVITY_CONTEXT,
      origin: "inbox",
      input: { messageId: crypto.randomUUID(), parts: [{ kind: "text", text }] },
      options: { unattended: true },
      provenance: { trigger: `inbox:${ids.join(",")}`, priority: urgent },
      alongside: ({ id: by }) => [this.#sql.take.bind({ by, at: clock.now(), ids: JSON.stringify(ids) })],
    });
    for (const item of items) this.#publish("inbox.delivered", item, { task_id: view.id });
    return view.id;
  }

  /** `id`, `origin`, `priority` and `state` are for everyone (S3). */
  #publish(topic: string, { id, priority, source, text }: InboxItem, more: JsonObject): void {
    const state = topic === "inbox.delivered" ? "delivered" : "waiting";
    const shown = text.slice(0, PUBLISHED_CHARS);
    this.#options.bus.publish(topic, { id, origin: "inbox", priority, state, source, text: shown, ...more });
  }

  /** Reads the outcomes of calls and turns that took items; one read where there are none. */
  async #settle(): Promise<void> {
    const { db } = this.#options;
    if ((await db.read(this.#sql.unsettled.bind({}))).length === 0) return;
    const statements = [this.#sql.giveBack.bind({ most: MOST_INTERRUPTED }), this.#sql.settle.bind({})];
    await db.commit({ label: "inbox.settle", statements });
  }

  #fireSoon(ms: number): void {
    if (this.#stopped) return;
    this.#timer?.cancel();
    this.#timer = this.#options.clock.setTimeout(
      () => void this.#inTurn(() => this.#fire()).catch(() => this.#fireSoon(RETRY_MS)),
      ms,
      { background: true },
    );
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.#inLine >= MOST_IN_LINE)
      return Promise.reject(new DatabaseError("overloaded", "too many wait for the inbox already"));
    this.#inLine += 1;
    const done = this.#line.then(work).finally(() => {
      this.#inLine -= 1;
    });
    this.#line = done.catch(() => {});
    return done;
  }
}

function byUrgency(a: InboxPriority, b: InboxPriority): number {
  return INBOX_PRIORITIES.indexOf(a) - INBOX_PRIORITIES.indexOf(b);
}
