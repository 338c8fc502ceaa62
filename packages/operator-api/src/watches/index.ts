import { defineResource, emptyList, refused } from "../resource/index.ts";

/** Not built: its routes answer as O4 requires. */
export const watches = defineResource({
  name: "watches",
  feature: "watches",
  unbuilt: {
    tag: "Watches",
    routes: [
      ["GET", "/api/watches", emptyList({ watches: [] })],
      ["POST", "/api/watches", refused],
      ["PATCH", "/api/watches/{watch_id}", refused],
      ["DELETE", "/api/watches/{watch_id}", refused],
    ],
  },
});
