/** What is to be forgotten, and what of it there is. */
import type { Database } from "../../database/index.ts";
import { folded } from "../chunk.ts";
import { forgettingStatements } from "./forgetting-statements.ts";

/** What is to be forgotten. */
export type ForgetScope =
  | { readonly kind: "chunks"; readonly ids: readonly number[] }
  | { readonly kind: "source"; readonly source: number }
  /** What its turns stored, and the documents they ingested. */
  | { readonly kind: "session"; readonly session: string }
  | { readonly kind: "subject"; readonly subject: string }
  /** What was removed by the agent more than a day ago. */
  | { readonly kind: "expired"; readonly before: number };

/** How much was forgotten, or would be. */
export interface ForgetCounts {
  readonly chunks: number;
  /** What turns were shown of them: frames, and results of memory tools. */
  readonly frames: number;
  /** Of the conversation, and of compactions that held their words. */
  readonly summaries: number;
  /** Documents that were attached to the conversation. */
  readonly attachments: number;
  readonly sources: number;
  readonly vectors: number;
}

/** Nothing was. */
export const NOTHING: ForgetCounts = { chunks: 0, frames: 0, summaries: 0, sources: 0, attachments: 0, vectors: 0 };

/** What a scope holds. */
export interface Chosen {
  readonly ids: readonly number[];
  readonly sources: readonly number[];
  /** Conversations of which others were shown lines and texts. */
  readonly sessions: readonly string[];
}

/** What conversations hold copies of. */
export type Copied = Pick<Chosen, "ids" | "sessions">;

/** The memories and documents of a scope. @throws DatabaseError */
export async function chooseMemories(db: Pick<Database, "read">, scope: ForgetScope): Promise<Chosen> {
  const sql = forgettingStatements();
  const read = async (statement: Parameters<Database["read"]>[0]): Promise<number[]> =>
    (await db.read(statement, "long")).map(([id]) => Number(id));
  const none: Chosen = { ids: [], sources: [], sessions: [] };
  switch (scope.kind) {
    case "chunks":
      return { ...none, ids: await read(sql.byIds.bind({ ids: JSON.stringify(scope.ids) })) };
    case "subject": {
      const key = folded(scope.subject);
      return { ...none, ids: key === "" ? [] : await read(sql.bySubject.bind({ key })) };
    }
    case "source": {
      const { source } = scope;
      const sources = await read(sql.sourceById.bind({ source }));
      return { ...none, ids: await read(sql.bySource.bind({ source })), sources };
    }
    case "expired":
      return { ...none, ids: await read(sql.expired.bind({ before: scope.before })) };
    case "session": {
      const { session } = scope;
      const sources = await read(sql.sourcesOfSession.bind({ session }));
      const ids = await read(sql.bySession.bind({ session }));
      for (const source of sources) ids.push(...(await read(sql.bySource.bind({ source }))));
      return { ids, sources, sessions: [session] };
    }
  }
}

/** What is kept of a scope: no words. */
export function idsOf(scope: ForgetScope): { readonly kind: ForgetScope["kind"]; readonly session?: string } {
  return scope.kind === "session" ? { kind: scope.kind, session: scope.session } : { kind: scope.kind };
}
