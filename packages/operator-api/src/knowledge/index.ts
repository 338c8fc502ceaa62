import { defineResource, emptyList, refused } from "../resource/index.ts";

/** Not built: its routes answer as O4 requires. */
export const knowledge = defineResource({
  name: "knowledge",
  feature: "knowledge",
  unbuilt: {
    tag: "Knowledge",
    routes: [
      ["GET", "/api/knowledge/search", emptyList({ results: [], stats: {} })],
      ["POST", "/api/knowledge/ingest", refused],
      ["POST", "/api/knowledge/attach", refused],
      ["POST", "/api/knowledge/chunks", refused],
      ["PUT", "/api/knowledge/chunks/{chunk_id}", refused],
      ["DELETE", "/api/knowledge/chunks/{chunk_id}", refused],
      ["POST", "/api/knowledge/delete-by-source", refused],
      ["POST", "/api/knowledge/restore-by-source", refused],
    ],
  },
});

/** What is published of the agent's memory; it has no routes yet. */
export const memoryEvents = defineResource({
  name: "memoryEvents",
  topics: [
    { topic: "knowledge.changed", when: "A memory was added, confirmed or removed", data: "`id`, `action`" },
    {
      topic: "memory.hot_written",
      when: "Always-on memory was written",
      data: "`chunk_id`, `source`, `source_type`, `preview`",
    },
    { topic: "memory.review_requested", when: "A memory waits for a person", data: "`id`" },
  ],
});
