import { defineResource, refused } from "../resource/index.ts";
import { addChunk, editChunk, knowledgeRoutes, removeChunk, reviewChunk, searchKnowledge } from "./routes.ts";

/** What the agent remembers. */
export const knowledge = defineResource({
  name: "knowledge",
  feature: "knowledge",
  definitions: [searchKnowledge, addChunk, editChunk, removeChunk, reviewChunk],
  topics: [
    {
      topic: "knowledge.changed",
      when: "A memory was added, confirmed, changed, decided about or removed",
      data: "`id`, `action`",
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

/** Documents that are read into memories: specified and not built. */
export const knowledgeSources = defineResource({
  name: "knowledgeSources",
  feature: "knowledge_sources",
  unbuilt: {
    tag: "Knowledge sources",
    routes: [
      ["POST", "/api/knowledge/ingest", refused],
      ["POST", "/api/knowledge/attach", refused],
      ["POST", "/api/knowledge/delete-by-source", refused],
      ["POST", "/api/knowledge/restore-by-source", refused],
    ],
  },
});
