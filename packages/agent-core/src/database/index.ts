export { DatabaseError } from "./database-error.ts";
export type { DatabaseErrorCode } from "./database-error.ts";
export type { Command, Database, Row, Statement, Value } from "./database-port.ts";
