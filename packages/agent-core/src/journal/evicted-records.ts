import type { TaskRecord } from "./task-record.ts";

/**
 * Records of open tasks that left memory while somebody may still hold a handle on them: as long as one does, the task
 * must not get a second record, or that handle would never hear of it again (JO7). Ended tasks do not change, so two
 * records of one do no harm.
 */
export class EvictedRecords {
  readonly #refs = new Map<string, WeakRef<TaskRecord>>();

  /** Remembers a record without keeping it alive. */
  add(record: TaskRecord): void {
    if (!record.ended) this.#refs.set(record.view.id, new WeakRef(record));
  }

  /** Takes a record back, if somebody has kept it alive. */
  take(id: string): TaskRecord | undefined {
    const record = this.#refs.get(id)?.deref();
    this.#refs.delete(id);
    return record;
  }

  /** Forgets those that nobody holds. */
  prune(): void {
    for (const [id, ref] of this.#refs) if (ref.deref() === undefined) this.#refs.delete(id);
  }
}
