import { ReleasingMap } from "../collection/index.ts";
import { type Party, PartyCount, partyOf } from "../share/index.ts";
import { EvictedRecords } from "./evicted-records.ts";
import type { TaskRecord } from "./task-record.ts";

export interface RecordCacheOptions {
  readonly clock: { now(): number };
  /** Bytes of all records beyond which idle ones are dropped. */
  readonly maxBytes: number;
  /** Milliseconds after which an idle record is dropped. */
  readonly evictAfterMs: number;
}

/** The records of tasks in memory: those that are busy, and idle ones within a bound (JO7, EN10). */
export class RecordCache {
  readonly #options: RecordCacheOptions;
  /** Insertion order is the order of last use. */
  readonly #records = new ReleasingMap<TaskRecord>();
  readonly #evicted = new EvictedRecords();
  readonly #bytes = new PartyCount();

  constructor(options: RecordCacheOptions) {
    this.#options = options;
  }

  /** Bytes of all records, about. */
  get bytes(): number {
    return this.#bytes.all;
  }

  /** Those of them that a party holds. */
  bytesOf(party: Party): number {
    return this.#bytes[party];
  }

  /** The record of a task, which is used by that. */
  get(id: string): TaskRecord | undefined {
    const known = this.#records.get(id) ?? this.#takeBack(id);
    if (known === undefined) return undefined;
    known.usedAt = this.#options.clock.now();
    this.#records.delete(id);
    this.#records.set(id, known);
    return known;
  }

  /** Adds a record, whatever the bound. */
  add(record: TaskRecord): void {
    this.#records.set(record.view.id, record);
    this.#bytes[partyOf(record.class)] += record.bytes;
  }

  /** Removes a record. While others hold it, it is found again (JO7). */
  remove(record: TaskRecord): void {
    if (!this.#records.delete(record.view.id)) return;
    this.#bytes[partyOf(record.class)] -= record.bytes;
    this.#evicted.add(record);
  }

  /** Does something to a record that changes its bytes. */
  resize(record: TaskRecord, change: () => void): void {
    const before = record.bytes;
    change();
    if (this.#records.get(record.view.id) === record) this.#bytes[partyOf(record.class)] += record.bytes - before;
  }

  /** As `release`, by the task's id. */
  releaseTask(id: string): void {
    const record = this.#records.get(id);
    if (record !== undefined) this.release(record);
  }

  /**
   * Called when a record may have become idle. One of an ended task leaves memory at once: what is read again is cached
   * then, and thousands of finished tasks do not fill the heap.
   */
  release(record: TaskRecord): void {
    if (record.busy) return;
    record.usedAt = this.#options.clock.now();
    if (record.ended) this.remove(record);
    else if (this.#records.delete(record.view.id)) this.#records.set(record.view.id, record);
    this.evict();
  }

  /** Drops idle records that have not been used for long. */
  sweep(): void {
    const before = this.#options.clock.now() - this.#options.evictAfterMs;
    for (const record of this.#records.values()) {
      if (record.usedAt > before) break;
      if (!record.busy) this.remove(record);
    }
    this.#evicted.prune();
  }

  /** Drops idle records, those first that were used longest ago, where there are more than the bound. */
  evict(): void {
    const { maxBytes } = this.#options;
    if (this.bytes <= maxBytes) return;
    for (const record of this.#records.values()) {
      if (record.busy) continue;
      this.remove(record);
      if (this.bytes <= maxBytes * 0.9) return;
    }
  }

  #takeBack(id: string): TaskRecord | undefined {
    const record = this.#evicted.take(id);
    if (record !== undefined) this.add(record);
    return record;
  }
}
