import type { Database, LazyStore } from "../../database/index.ts";
import { sharingStatements } from "./commons-statements.ts";

/** Namespaces of what is not read in the scope there is. */
const PRIVATE = "private";
const SHARED = "shared";

/**
 * A store whose memories are those of the commons, or this agent's own, as the scope says when it is used (K26). What is of
 * the other scope is set aside, and brought back with it.
 */
export function scopedStore(store: LazyStore, isShared: () => boolean): LazyStore {
  let settled: { readonly db: Database; readonly shared: boolean; readonly done: Promise<void> } | undefined;
  return {
    async get() {
      const db = await store.get();
      const shared = isShared();
      if (settled?.db !== db || settled.shared !== shared) {
        const before = settled?.done.catch(() => {}) ?? Promise.resolve();
        settled = { db, shared, done: before.then(() => settle(db, shared)) };
      }
      const { done } = settled;
      try {
        await done;
      } catch (error) {
        if (settled.done === done) settled = undefined;
        throw error;
      }
      return db;
    },
    close: () => store.close(),
  };
}

async function settle(db: Database, shared: boolean): Promise<void> {
  const sql = sharingStatements();
  const [row] = await db.read(sql.scope.bind({}));
  if ((Number(row?.[0]) === 1) === shared) return;
  const [aside, back] = shared ? [PRIVATE, SHARED] : [SHARED, PRIVATE];
  await db.commit({
    label: "knowledge.scope",
    statements: [
      ...(shared ? [sql.dropLinks.bind({}), sql.dropCopies.bind({})] : []),
      ...[sql.setAside.bind({ aside }), sql.setAsideSources.bind({ aside })],
      ...[sql.bringBack.bind({ aside: back }), sql.bringBackSources.bind({ aside: back })],
      sql.setScope.bind({ shared: shared ? 1 : 0 }),
    ],
    overwrite: true,
  });
}
