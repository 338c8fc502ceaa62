import { defineResource, emptyList, refused } from "../resource/index.ts";

/** Not built: its routes answer as O4 requires. */
export const plugins = defineResource({
  name: "plugins",
  feature: "plugins",
  unbuilt: {
    tag: "Plugins",
    routes: [
      ["GET", "/api/plugins/installed", emptyList({ plugins: [], bundles: [] })],
      ["GET", "/api/plugins/catalog", emptyList({ plugins: [] })],
      ["GET", "/api/plugins/updates", emptyList({ plugins: [], bundles: [] })],
      ["POST", "/api/plugins/install", refused],
      ["POST", "/api/plugins/sync", refused],
      ["POST", "/api/plugins/{id}/enabled", refused],
      ["POST", "/api/plugins/{id}/update", refused],
      ["DELETE", "/api/plugins/{id}", refused],
    ],
  },
});
