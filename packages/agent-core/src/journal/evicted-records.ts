import type { TaskRecord } from "./task-record.ts";

/**
 * Records of open tasks that were evicted while a handle may still refer to them: as long as one does, the task must not
 * get a second record, or that handle would get no more events (JO7). Ended tasks do not change, so two records of one do
 * no harm.
 */
export class EvictedRecords {
  readonly #refs = new Map<string, WeakRef<TaskRecord>>();

  /** Remembers a record without keeping it alive. */
  add(record: TaskRecord): void {
    if (!record.ended) this.#refs.set(record.view.id, new WeakRef(record));
  }

  /** Returns a record that a handle still refers to. */
  take(id: string): TaskRecord | undefined {
    const record = this.#refs.get(id)?.deref();
    this.#refs.delete(id);
    return record;
  }

  /** Removes entries whose record was collected. */
  prune(): void {
    for (const [id, ref] of this.#refs) if (ref.deref() === undefined) this.#refs.delete(id);
  }
}
