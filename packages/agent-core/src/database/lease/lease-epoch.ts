import type { Database } from "../database-port.ts";

/** How often the store has changed hands: one more with every process that takes it (EN11). @throws DatabaseError */
export async function readLeaseEpoch(db: Pick<Database, "read">): Promise<number> {
  const [row] = await db.read({ sql: "SELECT epoch FROM lease WHERE id = 1", args: [] });
  return Number(row?.[0]);
}
