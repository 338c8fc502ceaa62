import { isExpectationError } from "./database-error.ts";
import type { Command, Database } from "./database-port.ts";

/** Commits; false when the expected row was not there, and nothing has changed. @throws DatabaseError */
export async function commitIfExpected(db: Pick<Database, "commit">, command: Command): Promise<boolean> {
  try {
    await db.commit(command);
    return true;
  } catch (error) {
    if (isExpectationError(error)) return false;
    throw error;
  }
}
