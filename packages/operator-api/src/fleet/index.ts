import { defineResource, emptyList, refused } from "../resource/index.ts";

/** Not built: its routes answer as O4 requires. */
export const fleet = defineResource({
  name: "fleet",
  feature: "fleet",
  unbuilt: {
    tag: "Fleet",
    routes: [
      ["GET", "/api/fleet", emptyList({ agents: [] })],
      ["POST", "/api/fleet", refused],
      ["PATCH", "/api/fleet/{name}", refused],
      ["DELETE", "/api/fleet/{name}", refused],
      ["POST", "/api/fleet/{name}/start", refused],
      ["POST", "/api/fleet/{name}/stop", refused],
      ["POST", "/api/fleet/{name}/activate", refused],
      ["POST", "/api/fleet/down", refused],
      ["GET", "/api/fleet/discover", emptyList({ discovered: [] })],
      ["POST", "/api/fleet/remotes", refused],
      ["DELETE", "/api/fleet/remotes/{ident}", refused],
      ["POST", "/api/fleet/remotes/pair", refused],
      ["GET", "/api/archetypes", emptyList({ archetypes: [] })],
      ["GET", "/api/archetypes/{id}/preview", refused],
    ],
  },
});
