import { isStoreGone } from "../database/index.ts";
import { defineFeature, type OwnStoreOptions } from "../feature/index.ts";
import { knowledgeSection } from "./knowledge-section.ts";
import { KnowledgeStore } from "./knowledge-store.ts";
import { memoryTools } from "./memory-tools.ts";
import { RemovalSweeps } from "./removal-sweeps.ts";

export interface KnowledgeFeatureOptions extends Pick<OwnStoreOptions, "url" | "fallback"> {
  /** Whether the store has been made: one that has not is not opened before something is remembered or asked for. */
  readonly exists: () => boolean;
}

/** What the agent remembers, in a store of its own at `url`. A store that cannot be opened leaves the service without it. */
export function knowledge({ url, fallback, exists }: KnowledgeFeatureOptions) {
  return defineFeature({
    name: "knowledge",
    category: "memory",
    sections: [knowledgeSection],
    topics: ["knowledge.changed", "memory.hot_written", "memory.review_requested"],
    open({ clock, bus, redactor, log, openStore }, { settings }) {
      const own = openStore({ schema: "knowledge", url, ...(fallback && { fallback }) });
      const store = new KnowledgeStore({ store: own, clock, bus, redact: (text) => redactor.text(text) });
      const sweeps = new RemovalSweeps({
        ...{ store, exists, clock },
        onFailure(error) {
          if (!isStoreGone(error)) log.warn(`forgotten memories could not be deleted: ${String(error)}`);
        },
      });
      return {
        tools: memoryTools({ store, confirmsAlwaysOn: () => settings.knowledge.hot_write_confirm }),
        tick: (): void => sweeps.tick(),
        close: (): Promise<void> => store.close(),
      };
    },
    tools: ({ tools }) => tools,
    tick: ({ tick }) => tick(),
    close: ({ close }) => close(),
  });
}
