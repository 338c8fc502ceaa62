import type { LazyStore } from "../database/index.ts";
import { defineFeature, featureKey, type OwnStoreOptions } from "../feature/index.ts";

/** The feature `observationStore` makes, for those that need it. */
export const observation = featureKey<"observation", LazyStore>("observation");

/** The store of what is observed of the work, turn rows and prompt snapshots: beside the engine's, opened at its first use. */
export function observationStore(options: Pick<OwnStoreOptions, "url" | "fallback">) {
  return defineFeature({
    name: observation.name,
    // Turn rows can be read again from the journal, so a power cut may take the last second of it.
    open: (engine) => engine.openStore({ ...options, schema: "observation", synchronous: "normal" }),
    close: (store) => store.close(),
  });
}
