import type { Command, Database, Row, Statement } from "./database-port.ts";

/**
 * Named moments at which a test stops, fails or kills the process.
 * `<label>:before`: the command was submitted, nothing is durable. `<label>:after`: it is durable, not yet acknowledged.
 */
export interface Failpoints {
  /** Reached the moment `name`. May throw, block, or not return at all. */
  hit(name: string): void | Promise<void>;
}

/** Wraps a store so that each commit passes its failpoints. Without this wrapper they cost nothing. */
export function withFailpoints(database: Database, failpoints: Failpoints): Database {
  return {
    durable: database.durable,
    description: database.description,
    get state() {
      return database.state;
    },
    async commit(command: Command): Promise<void> {
      const before = failpoints.hit(`${command.label}:before`);
      // Only a failpoint that waits may change the command's position in the order (DB2).
      if (before !== undefined) await before;
      await database.commit(command);
      await failpoints.hit(`${command.label}:after`);
    },
    read: (statement: Statement, how?: "long"): Promise<readonly Row[]> => database.read(statement, how),
    async eraseRemains(): Promise<void> {
      await failpoints.hit("store.erase:before");
      await database.eraseRemains();
      await failpoints.hit("store.erase:after");
    },
    close: (): Promise<void> => database.close(),
  };
}
