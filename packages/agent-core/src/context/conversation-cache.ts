/**
 * Caches the messages of busy conversations between their turns: a turn reads what was stored since the one before it, not
 * the whole conversation again, and the adapter finds what it serialized of it (`MessageForms`).
 *
 * Invariants
 *  CC1  An entry equals a read of the whole conversation. Rows are only appended (EN7): a compaction, a step of the window
 *       or a rewind is such a row, and evicts the entry. Removals call `forget` and, where the rows of the conversation
 *       itself were deleted, are noticed at the next read.
 *  CC2  A message is kept once all its calls have an outcome, which never changes again (EN6).
 *  CC3  Bytes are bounded, for the operator and for all others apart: others never evict the operator's entries.
 */

import type { Clock } from "../clock/index.ts";
import { ReleasingMap } from "../collection/index.ts";
import type { Database } from "../database/index.ts";
import type { Statements } from "../journal/index.ts";
import type { EngineLog } from "../log/index.ts";
import type { ModelMessage } from "../model/index.ts";
import { OPERATOR_CLASS } from "../share/index.ts";
import {
  addShown,
  isTainted,
  MAX_CALLS,
  NO_REFS,
  notesOf,
  READ_MESSAGES,
  readHistory,
  refsOf,
  resultsOf,
  showHistory,
  toItem,
} from "./history.ts";
import { MessageForms } from "./message-forms.ts";
import type { OpenConversation } from "./open-conversation.ts";
import { itemBytes, MAX_BYTES, MAX_MESSAGES } from "./shown-window.ts";
import type { History, HistoryItem } from "./stored-message.ts";
import type { ConversationKey } from "./view-at.ts";

/** Bytes kept of a class's conversations. */
export interface CacheBytes {
  readonly operator: number;
  /** Of all other classes together. */
  readonly others: number;
}

export interface ConversationCacheOptions {
  readonly db: Database;
  readonly statements: Statements;
  readonly clock: Clock;
  readonly log?: Pick<EngineLog, "debug">;
  readonly bytes?: CacheBytes;
}

const DEFAULT_BYTES: CacheBytes = { operator: 32 * 1024 * 1024, others: 8 * 1024 * 1024 };
/** Milliseconds after its last turn that a conversation is evicted. */
const IDLE_MS = 600_000;
/** Bytes a message takes beside its text. */
const FRAME_BYTES = 400;
const ENTRY_BYTES = 2_000;

interface Entry {
  readonly key: string;
  readonly messages: ModelMessage[];
  readonly forms: MessageForms;
  inSight: ReadonlySet<string>;
  tainted: boolean;
  /** Some of it lies in other conversations. */
  readonly scattered: boolean;
  /** First row that is counted, and how many from there to the last one read. */
  readonly from: number;
  rows: number;
  last: number;
  lastTask: string;
  /** Stored messages that are shown, and their bytes. */
  items: number;
  bytes: number;
  usedAt: number;
  /** Bytes it was counted as. */
  counted: number;
}

function keyOf(of: ConversationKey): string {
  return `${of.class}\u0000${of.context}`;
}

/** Its messages and, from its next call on, about as much again as written for the adapter. */
function sizeOf({ bytes, items, forms }: Entry): number {
  return ENTRY_BYTES + bytes + Math.max(bytes, forms.written.bytes) + items * FRAME_BYTES;
}

/** The conversations of one class, or of all that share a bound. */
class Shelf {
  readonly #entries = new ReleasingMap<Entry>();
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get kept(): { readonly conversations: number; readonly bytes: number } {
    return { conversations: this.#entries.size, bytes: this.#bytes };
  }

  get(key: string): Entry | undefined {
    return this.#entries.get(key);
  }

  /** Puts an entry behind all others and lets the oldest go. */
  use(entry: Entry, now: number): void {
    this.drop(entry.key);
    entry.usedAt = now;
    entry.counted = sizeOf(entry);
    this.#entries.set(entry.key, entry);
    this.#bytes += entry.counted;
    for (const { key } of this.#entries.values()) {
      if (this.#bytes <= this.#maxBytes) break;
      this.drop(key);
    }
  }

  drop(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#bytes -= entry.counted;
    this.#entries.delete(key);
  }

  dropWhere(is: (entry: Entry) => boolean): void {
    for (const entry of this.#entries.values()) if (is(entry)) this.drop(entry.key);
  }
}

/** Reads conversations for turns that begin. */
export class ConversationCache {
  readonly #options: ConversationCacheOptions;
  readonly #operator: Shelf;
  readonly #others: Shelf;
  /** Counts removals: what was read before one is not kept after it. */
  #removals = 0;
  /** A timer looks for idle ones; it runs while anything is kept. */
  #watching = false;

  constructor(options: ConversationCacheOptions) {
    this.#options = options;
    const { operator, others } = options.bytes ?? DEFAULT_BYTES;
    this.#operator = new Shelf(operator);
    this.#others = new Shelf(others);
  }

  /** Conversations and bytes kept now. */
  get kept(): { readonly conversations: number; readonly bytes: number } {
    const [operator, others] = [this.#operator.kept, this.#others.kept];
    return { conversations: operator.conversations + others.conversations, bytes: operator.bytes + others.bytes };
  }

  /** What a conversation shows to a turn that begins. `own`: the turn, where its rows are being stored: they are not shown. @throws DatabaseError */
  async read(of: ConversationKey, own?: string): Promise<OpenConversation> {
    const entry = this.#shelf(of).get(keyOf(of));
    const opened = entry === undefined ? undefined : await this.#readOn(of, own, entry);
    this.#options.log?.debug?.(
      { task: own, kept: entry !== undefined, usable: opened !== undefined },
      "conversation read",
    );
    return opened ?? this.#readWhole(of, own);
  }

  /** Messages of a conversation are being removed, or were: nothing that shows them is kept. */
  forget(of: ConversationKey): void {
    this.#removals++;
    this.#shelf(of).drop(keyOf(of));
    for (const shelf of [this.#operator, this.#others]) shelf.dropWhere(({ scattered }) => scattered);
  }

  #shelf({ class: callerClass }: ConversationKey): Shelf {
    return callerClass === OPERATOR_CLASS ? this.#operator : this.#others;
  }

  /** The conversation with what came since; undefined: what was kept does not hold any more. */
  async #readOn(of: ConversationKey, own: string | undefined, entry: Entry): Promise<OpenConversation | undefined> {
    const { db, statements, clock } = this.#options;
    const { class: callerClass, context } = of;
    const { from, last, lastTask, rows } = entry;
    const range = { class: callerClass, context, after: last, limit: READ_MESSAGES, bytes: MAX_BYTES };
    const [newer, [check]] = await Promise.all([
      db.read(statements.selectMessagesAfter.bind(range)),
      db.read(statements.countMessagesBetween.bind({ class: callerClass, context, from, last })),
    ]);
    const shelf = this.#shelf(of);
    const items = newer.toReversed().map(toItem);
    const isWhole = Number(check?.[0]) === rows && check?.[1] === lastTask && newer.length < READ_MESSAGES;
    if (!isWhole || items.some(({ message }) => message.kind === "compaction")) {
      if (shelf.get(entry.key) === entry) shelf.drop(entry.key);
      return undefined;
    }
    const results = await this.#resultsOf(items);
    if (shelf.get(entry.key) !== entry || entry.last !== last) return undefined;
    const settled = settledCount(items, results, own);
    add(entry, items.slice(0, settled), results);
    shelf.use(entry, clock.now());
    const rest = items.slice(settled).filter(({ task }) => task !== own);
    return opened(entry, rest, results);
  }

  async #resultsOf(items: readonly HistoryItem[]): Promise<ReadonlyMap<string, string>> {
    const { db, statements } = this.#options;
    const callers = items.filter(({ message }) => message.kind === "assistant" && message.toolCalls !== undefined);
    if (callers.length === 0) return new Map();
    const tasks = JSON.stringify([...new Set(callers.map(({ task }) => task))]);
    return resultsOf(await db.read(statements.selectCallsOfTasks.bind({ tasks, limit: MAX_CALLS, bytes: MAX_BYTES })));
  }

  async #readWhole(of: ConversationKey, own: string | undefined): Promise<OpenConversation> {
    const { db, statements, clock } = this.#options;
    const removals = this.#removals;
    const history = await readHistory(db, statements, of);
    const entry = entryOf(keyOf(of), history, own);
    if (entry === undefined || history.exceedsBounds === true || removals !== this.#removals) {
      const items = history.items.filter(({ task }) => task !== own);
      const messages = showHistory({ ...history, items });
      const exceedsBounds = history.exceedsBounds ?? false;
      const { tainted = false } = history;
      return { messages, exceedsBounds, forms: new MessageForms(), inSight: refsOf(items), tainted };
    }
    this.#shelf(of).use(entry, clock.now());
    this.#watch();
    const rest = history.items.slice(entry.items).filter(({ task }) => task !== own);
    return opened(entry, rest, history.results);
  }

  #watch(): void {
    if (this.#watching) return;
    this.#watching = true;
    this.#options.clock.setTimeout(() => this.#dropIdle(), IDLE_MS, { background: true });
  }

  #dropIdle(): void {
    this.#watching = false;
    const { clock } = this.#options;
    const before = clock.now() - IDLE_MS;
    for (const shelf of [this.#operator, this.#others]) shelf.dropWhere(({ usedAt }) => usedAt <= before);
    if (this.kept.conversations > 0) this.#watch();
  }
}

function opened(entry: Entry, rest: readonly HistoryItem[], results: History["results"]): OpenConversation {
  const messages = [...entry.messages];
  for (const { message } of rest) addShown(messages, message, results);
  const exceedsBounds = entry.items + rest.length > MAX_MESSAGES || entry.bytes > MAX_BYTES;
  const tainted = entry.tainted || isTainted(rest);
  return { messages, exceedsBounds, forms: entry.forms, inSight: refsOf(rest, entry.inSight), tainted };
}

/** How many of the first items can be kept (CC2): before those of the turn itself and those with an open call. */
function settledCount(items: readonly HistoryItem[], results: History["results"], own: string | undefined): number {
  const first = items.findIndex(
    ({ task, message }) =>
      task === own || (message.kind === "assistant" && message.toolCalls?.some(({ id }) => !results.has(id))),
  );
  return first === -1 ? items.length : first;
}

function entryOf(key: string, history: History, own: string | undefined): Entry | undefined {
  const { items, results, rows = [], scattered = false } = history;
  const settled = items.slice(0, settledCount(items, results, own));
  const last = settled.at(-1);
  // A row that replaces earlier messages must be followed by another: otherwise there is nothing to continue reading from.
  if (last === undefined || !rows.includes(last.id)) return undefined;
  const from = rows[0]!;
  const entry: Entry = {
    ...{ key, messages: notesOf(history), forms: new MessageForms(), scattered, from, last: from - 1, lastTask: "" },
    ...{ rows: 0, items: 0, bytes: 0, usedAt: 0, counted: 0, inSight: NO_REFS, tainted: history.tainted ?? false },
  };
  add(entry, settled, results);
  entry.rows = rows.filter((id) => id <= last.id).length;
  return entry;
}

function add(entry: Entry, items: readonly HistoryItem[], results: History["results"]): void {
  const last = items.at(-1);
  if (last === undefined) return;
  for (const item of items) {
    addShown(entry.messages, item.message, results);
    entry.bytes += itemBytes(item, results);
  }
  entry.inSight = refsOf(items, entry.inSight);
  entry.tainted ||= isTainted(items);
  entry.items += items.length;
  entry.rows += items.length;
  entry.last = last.id;
  entry.lastTask = last.task;
}
