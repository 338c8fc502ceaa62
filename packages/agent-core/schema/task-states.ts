import { eq, or, type SQL } from "drizzle-orm";
import { taskTable } from "./tables.ts";

const is = (...states: readonly string[]): SQL => or(...states.map((state) => eq(taskTable.state, state))) as SQL;

/** The task is at work or waits. In the words of the index `task_open`, which is used for no others. */
export const isOpen = is("queued", "running", "parked");
/** The task has ended. In the words of the index `task_ended`. */
export const hasEnded = is("completed", "failed", "canceled");
