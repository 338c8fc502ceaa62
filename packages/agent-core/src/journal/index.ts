export type { Change, CommitListener, JournalOptions, NewTask } from "./journal.ts";
export { Journal } from "./journal.ts";
export type { JournalErrorCode } from "./journal-error.ts";
export { JournalError } from "./journal-error.ts";
export type { Retention } from "./retention.ts";
export { removeExpired } from "./retention.ts";
export type { EventRow, Statements } from "./statements.ts";
export { createStatements } from "./statements.ts";
export { TaskRecord } from "./task-record.ts";
