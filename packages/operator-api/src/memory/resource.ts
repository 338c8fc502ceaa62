import { defineResource, emptyList, refused } from "../resource/index.ts";
import { editHot, forgetMemory, listHot, listReceipts, memoryRoutes, removeHot } from "./routes.ts";

/** What is always on, and forgetting. */
export const memoryInspector = defineResource({
  name: "memoryInspector",
  feature: "memory_inspector",
  definitions: [forgetMemory, listReceipts, listHot, editHot, removeHot],
  topics: [{ topic: "memory.changed", when: "Memories were forgotten for good", data: "`receipt_id`, `action`" }],
  routes: memoryRoutes,
});

/** Summaries of conversations: specified and not built. */
export const memory = defineResource({
  name: "memory",
  feature: "memory",
  unbuilt: {
    tag: "Memory",
    routes: [
      ["GET", "/api/memory/sessions", emptyList({ sessions: [] })],
      ["GET", "/api/memory/sessions/{session_id}", refused],
      ["DELETE", "/api/memory/sessions/{session_id}", refused],
      ["GET", "/api/memory/injections", emptyList({ injections: [] })],
    ],
  },
});
