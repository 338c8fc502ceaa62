import { defineResource } from "../resource/index.ts";
import { claimHandoff, editorHandoffRoutes, offerHandoff } from "./routes.ts";

/** Conversations that continue in an editor. */
export const editorHandoff = defineResource({
  name: "editorHandoff",
  feature: "editor_handoff",
  definitions: [offerHandoff, claimHandoff],
  topics: [
    {
      topic: "handoff.offered",
      when: "A conversation can be continued in an editor",
      data: "`id`, `session_id`",
    },
    { topic: "handoff.claimed", when: "An editor continues a conversation", data: "`id`, `session_id`" },
  ],
  routes: editorHandoffRoutes,
});
