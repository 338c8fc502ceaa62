import { defineResource, refused } from "../resource/index.ts";

/** Not built: its routes answer as O4 requires. */
export const editorHandoff = defineResource({
  name: "editorHandoff",
  feature: "editor_handoff",
  unbuilt: {
    tag: "Editor",
    routes: [
      ["POST", "/api/editor/handoff", refused],
      ["POST", "/api/editor/handoff/claim", refused],
    ],
  },
});
