import { defineResource, emptyList, refused } from "../resource/index.ts";

/** Not built: its routes answer as O4 requires. */
export const scheduler = defineResource({
  name: "scheduler",
  feature: "scheduler",
  unbuilt: {
    tag: "Scheduler",
    routes: [
      ["GET", "/api/scheduler/jobs", emptyList({ jobs: [], backend: null })],
      ["POST", "/api/scheduler/jobs", refused],
      ["PUT", "/api/scheduler/jobs/{job_id}", refused],
      ["DELETE", "/api/scheduler/jobs/{job_id}", refused],
    ],
  },
});
