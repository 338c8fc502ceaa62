/** What forgetting reads of the store. */
import type { Database, Row } from "../../database/index.ts";
import { attachmentsOf } from "../sources/source.ts";
import { type Copied, type ForgetCounts, type ForgetScope, NOTHING } from "./forget-scope.ts";
import { forgettingStatements } from "./forgetting-statements.ts";
import type { ForgottenMemory } from "./without-memories.ts";

/** A forgetting that is done. Times are epoch milliseconds. */
export interface Receipt {
  readonly id: number;
  readonly scope: ForgetScope["kind"];
  readonly counts: ForgetCounts;
  readonly begunAt: number;
  readonly doneAt: number;
}

/** A memory with the conversation it was stored in. */
export interface Written extends ForgottenMemory {
  readonly session: string;
}

/** Those there are. @throws DatabaseError */
export async function knownOf(db: Database, ids: readonly number[]): Promise<readonly Written[]> {
  const rows = await db.read(forgettingStatements().known.bind({ ids: JSON.stringify(ids) }), "long");
  return rows.map(([id, content, session]) => ({
    ...{ id: Number(id), content: String(content), session: String(session) },
  }));
}

/** How many of them have a vector. @throws DatabaseError */
export async function vectorsOf(db: Database, ids: readonly number[]): Promise<number> {
  return Number((await db.read(forgettingStatements().vectors.bind({ ids: JSON.stringify(ids) })))[0]?.[0]);
}

/** How many documents are attached to the conversations. @throws DatabaseError */
export async function attachedTo(db: Database, { sessions }: Copied): Promise<number> {
  if (sessions.length === 0) return 0;
  const namespaces = JSON.stringify(sessions.map(attachmentsOf));
  return Number((await db.read(forgettingStatements().attachments.bind({ namespaces })))[0]?.[0]);
}

/** A row of a forgetting that is done. */
export function receiptOf([id, scope, counts, begun, done]: Row): Receipt {
  return {
    ...{ id: Number(id), scope: (JSON.parse(String(scope)) as Pick<ForgetScope, "kind">).kind },
    counts: { ...NOTHING, ...(JSON.parse(String(counts)) as ForgetCounts) },
    ...{ begunAt: Number(begun), doneAt: Number(done) },
  };
}

/** Numbers that are kept as JSON. */
export function numbersOf(json: unknown): number[] {
  return (JSON.parse(String(json)) as readonly unknown[]).map(Number);
}
