import type { LazyStore } from "../database/index.ts";
import type { CommonsPlace } from "./commons/commons-place.ts";
import { scopedStore } from "./commons/scoped-store.ts";

/** The store of memories, with what became of opening it. */
export interface OwnStore extends LazyStore {
  /** `initializing`: it could not be opened when it was last used. Its file or address is known once it was opened. */
  state(): { readonly status: "ready" | "initializing"; readonly location: string | undefined };
}

export function ownStore(store: LazyStore, place: () => CommonsPlace): OwnStore {
  return watched(scopedStore(store, () => place().isShared));
}

function watched(store: LazyStore): OwnStore {
  let isFailing = false;
  let location: string | undefined;
  return {
    state: () => ({ status: isFailing ? "initializing" : "ready", location }),
    async get() {
      try {
        const db = await store.get();
        isFailing = false;
        location = db.description;
        return db;
      } catch (error) {
        isFailing = true;
        throw error;
      }
    },
    close: () => store.close(),
  };
}
