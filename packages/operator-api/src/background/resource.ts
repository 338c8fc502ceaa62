import { defineResource } from "../resource/index.ts";
import { backgroundRoutes, cancelJob, clearJobs, deleteJob, listJobs, readJob } from "./routes.ts";

/** Of every topic of a job. */
const job = "`job_id`, `status`, `subagent_type`, `description`, `origin_session`, `task_id`";

export const background = defineResource({
  name: "background",
  feature: "background",
  definitions: [listJobs, readJob, cancelJob, clearJobs, deleteJob],
  topics: [
    { topic: "background.started", when: "A background job's task began", data: job },
    {
      topic: "background.completed",
      when: "A background job ended, whatever its status",
      data: `${job}, \`result\` (2,000 characters at most)`,
    },
    {
      topic: "background.changed",
      when: "A background job is new, has begun, ended, been reported or deleted; or jobs were cleared from the list",
      data: `${job}; after a clear \`origin_session\` (null: all) and \`cleared\``,
    },
  ],
  routes: backgroundRoutes,
});
