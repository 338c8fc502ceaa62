/** The tasks an executor in memory keeps: a bounded number, each for its own class of callers. */
import { OverloadedError } from "../../error/index.ts";
import { isTerminal } from "../../task/index.ts";
import type { CallContext } from "../executor.ts";
import type { InMemoryRun } from "./in-memory-run.ts";
import type { InMemoryTask } from "./in-memory-task.ts";

export interface StoredTask {
  readonly record: InMemoryTask;
  readonly run: InMemoryRun;
  /** Class of who began it. */
  readonly owner: string;
}

export interface InMemoryTasks {
  /**
   * Reserves room for a task until `made` resolves. Throws `OverloadedError` 503 where as many tasks as are kept still
   * run.
   */
  reserve<T extends { readonly kept?: StoredTask }>(made: () => Promise<T>): Promise<T>;
  /** The task, if this caller may see it (A16). */
  visible(taskId: string, call: CallContext): StoredTask | undefined;
  /** All that this caller may see, oldest first. */
  visibleTo(call: CallContext): readonly StoredTask[];
}

/** Keeps `maxTasks` at most. `onForget` is called for ended ones that are removed to make room. */
export function createInMemoryTasks(maxTasks: number, onForget: (task: InMemoryTask) => void): InMemoryTasks {
  const kept = new Map<string, StoredTask>();
  let reserved = 0;

  function mayRead({ caller }: CallContext, { owner }: StoredTask): boolean {
    return caller.class === "operator" || caller.class === owner;
  }
  function makeRoom(): void {
    if (kept.size + reserved < maxTasks) return;
    for (const [taskId, { record }] of kept) {
      if (!isTerminal(record.task().status.state)) continue;
      kept.delete(taskId);
      onForget(record);
      return;
    }
    throw new OverloadedError(503, `All ${maxTasks} tasks are in use`, 5);
  }
  return {
    async reserve(made) {
      makeRoom();
      reserved++;
      try {
        const result = await made();
        if (result.kept !== undefined) kept.set(result.kept.record.task().id, result.kept);
        return result;
      } finally {
        reserved--;
      }
    },
    visible(taskId, call) {
      const found = kept.get(taskId);
      return found && mayRead(call, found) ? found : undefined;
    },
    visibleTo: (call) => [...kept.values()].filter((one) => mayRead(call, one)),
  };
}
