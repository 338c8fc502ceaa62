import type { AnyTool } from "@agent-service/plugin-sdk";
import { middlewareSection } from "../audit/index.ts";
import type { EventBus } from "../bus/index.ts";
import type { Egress } from "../egress/index.ts";
import { defineFeature, type Engine, type OwnStoreOptions, type SettingsOf } from "../feature/index.ts";
import { type CommonsPlace, NO_COMMONS, type OpenCommons, openCommons } from "./commons/open-commons.ts";
import { contextSection } from "./context-section.ts";
import { type EmbeddingServer, type EmbeddingState, Embeddings, type VectorState } from "./embedding/index.ts";
import { openForgetting } from "./forgetting/open-forgetting.ts";
import { type OpenRecords, openRecords } from "./injections.ts";
import { KnowledgeSearch } from "./knowledge-search.ts";
import { knowledgeSection } from "./knowledge-section.ts";
import { KnowledgeStore } from "./knowledge-store.ts";
import { memoryTools } from "./memory-tools.ts";
import { OperatorKnowledge } from "./operator-knowledge.ts";
import { ownStore } from "./own-store.ts";
import { Recall, type RecallOptions } from "./recall.ts";
import { openSweeps } from "./removal-sweeps.ts";
import { type OpenDocuments, openDocuments } from "./sources/open-documents.ts";
import { Transfer } from "./transfer.ts";

export interface KnowledgeFeatureOptions extends Pick<OwnStoreOptions, "url" | "fallback"> {
  /** Whether the store has been made: one that has not is not opened before something is remembered or asked for. */
  readonly exists: () => boolean;
  /** Where what the agents of a home share is, and whether it is all there is. Default: nothing is shared. */
  readonly commons?: () => CommonsPlace;
  /** Makes a folder with those above it. */
  readonly makeFolder?: (path: string) => void;
  /** The guard of addresses that documents are fetched from; asked at each. Absent: none is fetched. */
  readonly egress?: () => Egress;
  /** Where a value of `knowledge.embed_model` is served; undefined: nowhere. Default: no model is. */
  readonly embeddingServer?: (value: string) => EmbeddingServer | undefined;
}

/** What the feature opens. */
export interface OpenKnowledge extends OpenRecords {
  readonly tools: readonly AnyTool[];
  readonly recall: Recall;
  /** Stores what was extracted from a conversation. `call`: a repetition with the same one stores nothing. @throws KnowledgeError */
  readonly remember: KnowledgeStore["remember"];
  /** What operators do with memories. */
  readonly operations: OperatorKnowledge;
  /** Documents that are read into memories. */
  readonly sources: OpenDocuments["sources"];
  /** What the agents of a home share. */
  readonly commons: OpenCommons["commons"];
  /** Memories taken out and brought in. */
  readonly transfer: Transfer;
  /** Removes memories for good, with every copy. */
  readonly forgetting: ReturnType<typeof openForgetting>;
  readonly documents: Pick<OpenDocuments, "start" | "forgetSession">;
  /** How far the search by meaning is. @throws DatabaseError */
  vectors(): Promise<VectorState>;
  /** `initializing`: the store could not be opened when it was last used. */
  state(): {
    readonly status: "ready" | "initializing";
    readonly embeddings: EmbeddingState;
    /** The file or address of its store; undefined: it was not opened yet. */
    readonly location: string | undefined;
  };
  tick(): void;
  close(): Promise<void>;
}

/** What the agent remembers, in a store of its own at `url`. A store that cannot be opened leaves the service without it. */
export function knowledge({
  url,
  fallback,
  exists,
  egress,
  embeddingServer,
  commons: place = () => NO_COMMONS,
  makeFolder = () => {},
}: KnowledgeFeatureOptions) {
  return defineFeature({
    name: "knowledge",
    category: "memory",
    sections: [knowledgeSection, contextSection, middlewareSection],
    topics: ["knowledge.changed", "memory.hot_written", "memory.review_requested", "memory.changed"],
    open(engine, { settings }): OpenKnowledge {
      const { clock, bus, log, newId, openStore } = engine;
      const own = ownStore(openStore({ schema: "knowledge", url, ...(fallback && { fallback }) }), place);
      const embeddings = new Embeddings({
        ...{ store: own, exists, clock, log },
        server() {
          const { embeddings: isOn, embed_model: model } = settings.knowledge;
          return isOn ? embeddingServer?.(model) : undefined;
        },
      });
      const recall = openRecall({ store: own, exists, clock, embeddings }, settings, log);
      const noting = notingChanges(bus, { recall, embeddings, commons: { noteWrite: () => mirror.noteWrite() } });
      const { text: redact } = engine.redactor;
      const store = new KnowledgeStore({ store: own, clock, redact, bus: noting });
      const documents = openDocuments({
        ...{ alone: (work) => store.alone(work), get: () => own.get(), clock, bus: noting, redact, egress, exists },
        clean: () => store.index.clean(),
        onFailure: (error) => log.warn(`a document could not be read: ${String(error)}`),
      });
      const { commons, mirror } = openCommons(engine, { store, exists, place, makeFolder, bus: noting });
      const forgetting = openForgetting(engine, {
        ...{ store, exists, bus: noting, forgetSource: documents.forget },
        withdrawHidden: () => commons.withdrawHidden(),
      });
      const search = new KnowledgeSearch({
        ...{ store, embeddings, clock },
        timeoutMs: () => settings.knowledge.recall_timeout_ms,
      });
      const sweeps = openSweeps({ forgetting, documents, store, exists }, engine);
      return {
        sources: documents.sources,
        transfer: new Transfer({ store, get: () => own.get(), exists, now: () => clock.now(), newId }),
        ...{ documents, forgetting, commons },
        operations: new OperatorKnowledge({
          ...{ store, search, exists, clock, bus: noting, newId, redact },
          forget: (scope) => forgetting.forget(scope),
        }),
        tools: memoryTools({ store, search, confirmsAlwaysOn: () => settings.knowledge.hot_write_confirm }),
        remember: (memory, call) => store.remember(memory, call),
        ...{ recall, ...openRecords(engine, recall), vectors: () => embeddings.vectors() },
        state: () => ({ ...own.state(), embeddings: embeddings.state }),
        tick() {
          for (const one of [sweeps, forgetting, embeddings, mirror]) one.tick();
        },
        async close() {
          await documents.close();
          await embeddings.close();
          await store.close();
        },
      };
    },
    tools: ({ tools }) => tools,
    recall:
      ({ recall }) =>
      (ask) =>
        recall.recall(ask),
    forgetSession: ({ documents }, session) => documents.forgetSession(session),
    onCommit: ({ forgetting }, view) => forgetting.noteEnd(view),
    start({ documents, forgetting }) {
      documents.start();
      forgetting.start();
    },
    tick: ({ tick }) => tick(),
    close: ({ close }) => close(),
  });
}

/** What recalls for turns. */
function openRecall(
  parts: Pick<RecallOptions, "store" | "exists" | "clock" | "embeddings">,
  settings: SettingsOf<readonly [typeof knowledgeSection, typeof contextSection, typeof middlewareSection]>,
  log: Engine["log"],
): Recall {
  return new Recall({
    ...parts,
    settings: () => ({
      enabled: settings.middleware.knowledge,
      topK: settings.knowledge.top_k,
      budgetPct: settings.context.budget_pct,
      timeoutMs: settings.knowledge.recall_timeout_ms,
    }),
    onFailure: (error) => log.warn(`turns go on without memory: ${String(error)}`),
  });
}

/** A bus over which recall, embeddings and the commons are notified of what is written. */
function notingChanges(
  bus: EventBus,
  {
    recall,
    embeddings,
    commons,
  }: {
    readonly recall: Recall;
    readonly embeddings: Embeddings;
    readonly commons: { noteWrite(): void };
  },
): EventBus {
  return {
    publish(topic, data) {
      recall.noteWrite();
      if (topic === "knowledge.changed") {
        const change = data as { readonly id?: number; readonly action: string };
        embeddings.noteChange(change);
        if (change.action !== "commons") commons.noteWrite();
      }
      bus.publish(topic, data);
    },
  };
}
