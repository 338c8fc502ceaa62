export { commitIfExpected } from "./commit-if-expected.ts";
export type { DatabaseErrorCode } from "./database-error.ts";
export {
  DatabaseError,
  isConstraintError,
  isExpectationError,
  isStoreGone,
  isStoreUnavailable,
} from "./database-error.ts";
export type { Command, Database, Row, Statement, StoreState, Value } from "./database-port.ts";
export type { Failpoints } from "./failpoints.ts";
export { withFailpoints } from "./failpoints.ts";
export type { InspectedStore } from "./inspect-store.ts";
export { inspectStore } from "./inspect-store.ts";
export { readInstanceUid } from "./instance-uid.ts";
export { collectLargeGarbage } from "./large-garbage.ts";
export { type LazyStore, lazyStore } from "./lazy-store.ts";
export { readLeaseEpoch } from "./lease/lease-epoch.ts";
export type { OpenDatabaseOptions } from "./open-database.ts";
export { isStoreServer, openDatabase } from "./open-database.ts";
export type { OpeningStore } from "./open-store.ts";
export { openStore } from "./open-store.ts";
export type { StoreSchema } from "./shipped-migrations.ts";
export type { BoundStatement } from "./statement/named-statement.ts";
export { namedStatement } from "./statement/named-statement.ts";
export { isStorable, storableText, unstorablePath } from "./statement/storable-text.ts";
export type { Synchronous } from "./store-connection.ts";
export type { StoreThreads, StoreThreadsOptions } from "./store-host.ts";
export { createStoreThreads } from "./store-host.ts";
export { IndexMerge } from "./upkeep/index-merge.ts";
