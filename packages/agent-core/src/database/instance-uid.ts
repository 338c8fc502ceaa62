import type { Database } from "./database-port.ts";

/** The store's own name: made with it, 24 hex digits, the same for as long as the store exists. @throws DatabaseError */
export async function readInstanceUid(db: Pick<Database, "read">): Promise<string> {
  const [row] = await db.read({ sql: "SELECT uid FROM instance", args: [] });
  return String(row?.[0]);
}
