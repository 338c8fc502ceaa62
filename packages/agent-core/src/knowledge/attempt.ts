import { type Database, isExpectationError } from "../database/index.ts";

/** Commits; false when the expected row was not there. */
export async function attempt(db: Database, command: Parameters<Database["commit"]>[0]): Promise<boolean> {
  try {
    await db.commit(command);
    return true;
  } catch (error) {
    if (isExpectationError(error)) return false;
    throw error;
  }
}
