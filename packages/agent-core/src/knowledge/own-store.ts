import type { LazyStore } from "../database/index.ts";
import type { CommonsPlace } from "./commons/commons-place.ts";
import { scopedStore } from "./commons/scoped-store.ts";

/** The store of memories, with whether it could be opened when it was last used. */
export function ownStore(store: LazyStore, place: () => CommonsPlace): LazyStore & { isFailing(): boolean } {
  return watched(scopedStore(store, () => place().isShared));
}

function watched(store: LazyStore): LazyStore & { isFailing(): boolean } {
  let isFailing = false;
  return {
    isFailing: () => isFailing,
    async get() {
      try {
        const db = await store.get();
        isFailing = false;
        return db;
      } catch (error) {
        isFailing = true;
        throw error;
      }
    },
    close: () => store.close(),
  };
}
