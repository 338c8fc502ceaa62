import { defineResource } from "../resource/index.ts";
import { injectionRoutes, listInjections, listUses, previewRecall } from "./injection-routes.ts";
import { editHot, forgetMemory, listHot, listReceipts, memoryRoutes, removeHot } from "./routes.ts";
import {
  harvestSession,
  listSessionSummaries,
  readHarvesting,
  readSessionSummary,
  removeSessionSummary,
  sessionMemoryRoutes,
} from "./session-routes.ts";

/** What is always on, and forgetting. */
export const memoryInspector = defineResource({
  name: "memoryInspector",
  feature: "memory_inspector",
  definitions: [forgetMemory, listReceipts, listHot, editHot, removeHot],
  topics: [
    {
      topic: "memory.changed",
      when: "Memories were forgotten for good, or the summary of a conversation was written or deleted",
      data: "`receipt_id` or `session_id`, `action`",
    },
  ],
  routes: memoryRoutes,
});

/** Summaries of conversations. */
export const memory = defineResource({
  name: "memory",
  feature: "memory",
  definitions: [listSessionSummaries, readSessionSummary, removeSessionSummary, harvestSession, readHarvesting],
  routes: sessionMemoryRoutes,
});

/** What was put before the model, call by call. */
export const memoryInjections = defineResource({
  name: "memoryInjections",
  feature: "memory_injections",
  definitions: [listInjections, previewRecall, listUses],
  routes: injectionRoutes,
});
