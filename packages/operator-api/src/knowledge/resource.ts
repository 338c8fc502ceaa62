import { defineResource } from "../resource/index.ts";
import {
  addChunk,
  editChunk,
  knowledgeRoutes,
  listRemoved,
  promoteChunk,
  removeChunk,
  restoreChunk,
  reviewChunk,
  searchKnowledge,
  withdrawChunk,
} from "./routes.ts";
import {
  attachDocument,
  deleteBySource,
  ingestDocument,
  listSources,
  readSource,
  restoreBySource,
  sourceRoutes,
} from "./source-routes.ts";
import { exportKnowledge, importKnowledge, transferRoutes } from "./transfer-routes.ts";

/** What the agent remembers. */
export const knowledge = defineResource({
  name: "knowledge",
  feature: "knowledge",
  definitions: [
    searchKnowledge,
    addChunk,
    editChunk,
    removeChunk,
    restoreChunk,
    listRemoved,
    promoteChunk,
    withdrawChunk,
    reviewChunk,
  ],
  topics: [
    {
      topic: "knowledge.changed",
      when: "A memory was added, confirmed, changed, decided about or removed, or a document is read, ready, failed, removed or restored",
      data: "`id` or `source_id`, `action`; `commons`: what is shared changed",
    },
    {
      topic: "memory.hot_written",
      when: "Always-on memory was written",
      data: "`chunk_id`, `source`, `source_type`, `preview`",
    },
    { topic: "memory.review_requested", when: "A memory waits for a person", data: "`id`" },
  ],
  routes: knowledgeRoutes,
});

/** Documents that are read into memories. */
export const knowledgeSources = defineResource({
  name: "knowledgeSources",
  feature: "knowledge_sources",
  definitions: [ingestDocument, attachDocument, listSources, readSource, deleteBySource, restoreBySource],
  routes: sourceRoutes,
});

/** Memories taken out and brought in. */
export const knowledgeTransfer = defineResource({
  name: "knowledgeTransfer",
  feature: "knowledge",
  definitions: [exportKnowledge, importKnowledge],
  routes: transferRoutes,
});
