import type { CommittedEvent, TaskEvent, TaskState } from "../event/index.ts";
import { stateAfter } from "./state-after.ts";
import type { EventRow } from "./statements.ts";
import type { TaskRecord } from "./task-record.ts";

/** Events that have their numbers, as readers will see them and as rows. */
export interface PreparedEvents {
  readonly committed: CommittedEvent[];
  /** Bytes each is accounted with. */
  readonly sizes: number[];
  /** All of them. */
  readonly bytes: number;
  readonly rows: EventRow[];
  /** The state they lead to; undefined: they change none. */
  readonly state: TaskState | undefined;
}

/** Gives events the next numbers of their task (JO3) and returns what is to be stored. `at`: epoch milliseconds. */
export function prepareEvents(record: TaskRecord, events: readonly TaskEvent[], at: number): PreparedEvents {
  const committed: CommittedEvent[] = [];
  const sizes: number[] = [];
  const rows: EventRow[] = [];
  let state: TaskState | undefined;
  for (const event of events) {
    const seq = ++record.head;
    const body = JSON.stringify(event);
    committed.push({ seq, at, event });
    sizes.push(body.length + 64);
    rows.push({ seq, at, kind: event.kind, body });
    state = stateAfter(event) ?? state;
  }
  if (state !== undefined) record.assigned = state;
  return { committed, sizes, bytes: sizes.reduce((sum, size) => sum + size, 0), rows, state };
}
