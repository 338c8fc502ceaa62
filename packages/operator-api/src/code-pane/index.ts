import { defineResource, disabled } from "../resource/index.ts";

/** Not built: its routes answer as O4 requires. */
export const codePane = defineResource({
  name: "codePane",
  feature: "code_pane",
  unbuilt: {
    tag: "Files",
    routes: [
      ["GET", "/api/fs/file", disabled],
      ["GET", "/api/fs/diff", disabled],
    ],
  },
});
