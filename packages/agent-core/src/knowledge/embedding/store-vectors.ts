import type { Database } from "../../database/index.ts";
import type { EmbedModel } from "./embed-models.ts";
import { embeddingStatements } from "./embedding-statements.ts";
import type { VectorCode } from "./vector-code.ts";

/** Vectors of a commit, so that no commit holds up others. */
const BITE = 16;

/** Stores the vectors of chunks that are as they were when they were sent; `codes` are in their order. @throws DatabaseError */
export async function storeVectors(
  db: Database,
  model: Pick<EmbedModel, "id">,
  chunks: readonly { readonly id: number; readonly revision: number }[],
  codes: readonly VectorCode[],
): Promise<void> {
  const sql = embeddingStatements();
  for (let from = 0; from < chunks.length; from += BITE) {
    const statements = chunks.slice(from, from + BITE).flatMap(({ id, revision }, at) => {
      const { signs, full } = codes[from + at] ?? {};
      const bound = { id, revision, model: model.id };
      return signs === undefined || full === undefined
        ? []
        : [sql.store.bind({ ...bound, signs, full }), sql.shown.bind(bound)];
    });
    await db.commit({ label: "knowledge.vectors", statements });
  }
}

/** Texts that the endpoint does not take are found by their words only. @throws DatabaseError */
export function leaveOut(
  db: Database,
  model: Pick<EmbedModel, "id">,
  chunks: readonly { readonly id: number; readonly revision: number }[],
): Promise<void> {
  const sql = embeddingStatements();
  const statements = chunks.map(({ id, revision }) => sql.shown.bind({ id, revision, model: model.id }));
  return db.commit({ label: "knowledge.vectors", statements });
}
