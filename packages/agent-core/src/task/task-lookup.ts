import type { TaskOrigin } from "../event/index.ts";
import type { TaskRecord } from "../journal/index.ts";
import type { TurnDeps } from "../turn/index.ts";
import { type RequestKey, resultByKey } from "./request-key.ts";
import { TaskError } from "./task-error.ts";
import { type TaskHandle, taskHandle } from "./task-handle.ts";

/** Finds tasks: by id, by idempotency key, by the context that waits with them. */
export class TaskLookup {
  readonly #deps: TurnDeps;

  constructor(deps: TurnDeps) {
    this.#deps = deps;
  }

  /** A task by its id; `repeated`: a request that names it again asks. */
  async get(id: string, repeated = false): Promise<TaskHandle | undefined> {
    const found = this.#deps.journal.get(id);
    const record = found instanceof Promise ? await found : found;
    return record === undefined ? undefined : taskHandle(this.#deps.journal, record, repeated);
  }

  /** @throws TaskError unknown_task */
  async record(id: string): Promise<TaskRecord> {
    const found = this.#deps.journal.get(id);
    const record = found instanceof Promise ? await found : found;
    if (record === undefined) throw new TaskError("unknown_task", `there is no task ${id}`);
    return record;
  }

  /** As `TaskService.byKey`; undefined where the request has no key. */
  async byKey(callerClass: string, key: RequestKey | undefined): Promise<TaskHandle | undefined> {
    if (key === undefined) return undefined;
    const id = await resultByKey(this.#deps, callerClass, key);
    if (id === undefined) return undefined;
    this.#deps.log.debug?.({ task: id, class: callerClass }, "request answered by the task its key stands for");
    const known = await this.get(id, true);
    if (known === undefined)
      throw new TaskError("unknown_task", "the task that this idempotency key stands for was deleted");
    return known;
  }

  /** As `TaskService.parkedIn`. */
  async parkedIn(of: {
    readonly class: string;
    readonly context: string;
    readonly origin?: TaskOrigin;
  }): Promise<TaskHandle | undefined> {
    const { class: callerClass, context, origin = null } = of;
    const oldest = this.#deps.journal.statements.selectParkedTask.bind({ class: callerClass, context, origin });
    const [row] = await this.#deps.db.read(oldest);
    return row === undefined ? undefined : this.get(String(row[0]));
  }
}
