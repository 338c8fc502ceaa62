/** What a person rejected, known again by a hash of its words: the memory itself may have been deleted since (K8). */
import { createHash } from "node:crypto";
import { type Database, namedStatement, type Statement } from "../database/index.ts";

/** How many are known. */
const MOST = 100_000;

const sql = {
  find: namedStatement("SELECT 1 FROM rejected WHERE fingerprint = :fingerprint"),
  add: namedStatement("INSERT INTO rejected (fingerprint) VALUES (:fingerprint) ON CONFLICT DO NOTHING"),
  bound: namedStatement(`DELETE FROM rejected WHERE id <= (SELECT max(id) FROM rejected) - ${MOST}`),
  drop: namedStatement("DELETE FROM rejected WHERE fingerprint = :fingerprint"),
};

/** Whether a person rejected these words. @throws DatabaseError */
export async function isRejected(db: Pick<Database, "read">, content: string): Promise<boolean> {
  return (await db.read(sql.find.bind({ fingerprint: fingerprintOf(content) }))).length > 0;
}

/** Remembers that they were rejected. */
export function rejecting(content: string): readonly Statement[] {
  return [sql.add.bind({ fingerprint: fingerprintOf(content) }), sql.bound.bind({})];
}

/** A person says them now. */
export function unrejecting(content: string): Statement {
  return sql.drop.bind({ fingerprint: fingerprintOf(content) });
}

/** Case counts, spaces do not: a correction may be one of case. */
export function spaced(text: string): string {
  return text.normalize("NFC").replaceAll(/\s+/gu, " ").trim();
}

function fingerprintOf(content: string): string {
  return createHash("sha256").update(spaced(content)).digest("base64url");
}
