import { eq, or, type SQL } from "drizzle-orm";
import { taskTable } from "./tables.ts";

const is = (...states: readonly string[]): SQL => or(...states.map((state) => eq(taskTable.state, state))) as SQL;

/** The task runs or waits. Must match the condition of the index `task_open`, or the index is not used. */
export const isOpen = is("queued", "running", "parked");
/** The task has ended. Must match the condition of the index `task_ended`. */
export const hasEnded = is("completed", "failed", "canceled");
