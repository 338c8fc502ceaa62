/** Changes that a journal appends, and the listeners of its commits. */
import type { Statement } from "../database/index.ts";
import type { CommittedEvent, TaskEvent } from "../event/index.ts";
import type { TaskRecord } from "./task-record.ts";

/** What a new task is. `options` is stored as JSON and handed back on resume. */
export interface NewTask {
  readonly id: string;
  readonly class: string;
  readonly context: string;
  readonly origin: string;
  readonly options: string;
  /** The task whose call started it, where one did. */
  readonly parent?: string | undefined;
}

/** Events of one task and whatever must become durable with them. */
export interface Change {
  /** Names the commit boundary (failpoints). */
  readonly label: string;
  readonly events: readonly TaskEvent[];
  readonly statements?: readonly Statement[];
}

/** Called after every commit, in order per task. Must not throw. */
export type CommitListener = (record: TaskRecord, events: readonly CommittedEvent[]) => void;
