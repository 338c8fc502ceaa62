import { defineResource, emptyList, refused } from "../resource/index.ts";

/** Not built: its routes answer as O4 requires. */
export const memory = defineResource({
  name: "memory",
  feature: "memory",
  unbuilt: {
    tag: "Memory",
    routes: [
      ["GET", "/api/memory/sessions", emptyList({ sessions: [] })],
      ["GET", "/api/memory/sessions/{session_id}", refused],
      ["DELETE", "/api/memory/sessions/{session_id}", refused],
      ["GET", "/api/memory/hot", emptyList({ chunks: [] })],
      ["PUT", "/api/memory/hot/{chunk_id}", refused],
      ["DELETE", "/api/memory/hot/{chunk_id}", refused],
      ["GET", "/api/memory/injections", emptyList({ injections: [] })],
    ],
  },
});
