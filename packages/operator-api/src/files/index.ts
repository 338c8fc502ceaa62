import { defineResource, emptyList, refused } from "../resource/index.ts";

/** Not built: its routes answer as O4 requires. */
export const files = defineResource({
  name: "files",
  feature: "files",
  unbuilt: {
    tag: "Files",
    routes: [
      ["GET", "/api/fs/browse", refused],
      ["GET", "/api/fs/roots", emptyList({ roots: {} })],
    ],
  },
});
