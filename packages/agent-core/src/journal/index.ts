export { Journal } from "./journal.ts";
export type { Change, CommitListener, JournalOptions, NewTask } from "./journal.ts";
export { JournalError } from "./journal-error.ts";
export type { JournalErrorCode } from "./journal-error.ts";
export { createStatements } from "./statements.ts";
export type { EventRow, Statements } from "./statements.ts";
export { TaskRecord } from "./task-record.ts";
export { removeExpired } from "./retention.ts";
export type { Retention } from "./retention.ts";
