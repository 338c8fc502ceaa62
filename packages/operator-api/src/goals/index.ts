import { defineResource, emptyList, refused } from "../resource/index.ts";

/** Not built: its routes answer as O4 requires. */
export const goals = defineResource({
  name: "goals",
  feature: "goals",
  unbuilt: {
    tag: "Goals",
    routes: [
      ["GET", "/api/goals", emptyList({ goals: [] })],
      ["POST", "/api/goals", refused],
      ["GET", "/api/goals/{session_id}", refused],
      ["DELETE", "/api/goals/{session_id}", refused],
      ["POST", "/api/goals/{session_id}/rearm", refused],
      ["POST", "/api/goals/{session_id}/resume", refused],
    ],
  },
});
