import type { TaskRecord } from "./task-record.ts";

/** Resolves at the record's next change or when aborted; never rejects. */
export function changed(record: TaskRecord, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal === undefined) {
      record.onChange(resolve);
      return;
    }
    if (signal.aborted) return resolve();
    record.onChange(done);
    function done(): void {
      signal?.removeEventListener("abort", aborted);
      resolve();
    }
    function aborted(): void {
      record.offChange(done);
      resolve();
    }
    signal.addEventListener("abort", aborted, { once: true });
  });
}
