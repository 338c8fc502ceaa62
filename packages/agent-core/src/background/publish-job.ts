import type { EventBus } from "../bus/index.ts";
import type { BackgroundJob } from "./background-job.ts";
import type { JobChange } from "./job-driver.ts";

/** Characters of a result that an event holds (O7). */
const RESULT_CHARS = 2_000;

/** Publishes a change of a job: `background.changed`, and its start or end under a topic of its own. */
export function publishJob(bus: EventBus, change: JobChange, job: BackgroundJob): void {
  const { id: job_id, status, subagentType: subagent_type, session: origin_session } = job;
  // Events are kept for readers that come back.
  const description = job.incognito ? "" : job.description;
  const result = job.incognito ? undefined : job.result;
  const data = { job_id, status, subagent_type, description, origin_session, task_id: job.task ?? null };
  if (change === "started") bus.publish("background.started", data);
  if (change === "completed")
    bus.publish("background.completed", { ...data, result: result?.slice(0, RESULT_CHARS) ?? null });
  bus.publish("background.changed", data);
}
