import type { Row, Value } from "./database-port.ts";

/** What opening a store needs of a connection: the same few steps run in the writer thread and against a server. */
export interface SetupConnection {
  /** For people. */
  readonly description: string;
  /** Runs a query. @throws DatabaseError */
  query(sql: string, args?: readonly Value[]): readonly Row[] | Promise<readonly Row[]>;
  /** Runs one statement and returns how many rows it changed. @throws DatabaseError */
  execute(sql: string, args?: readonly Value[]): number | Promise<number>;
  /** Runs several statements in one transaction, whole or not at all. @throws DatabaseError */
  script(sql: string): void | Promise<void>;
  /** Copies the store before migration `number` changes it; absent where no copy can be made (a server). */
  backUp?(number: number): void;
}
