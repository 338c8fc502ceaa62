import { defineResource } from "../resource/index.ts";
import {
  createScheduledJob,
  editScheduledJob,
  listScheduledJobs,
  listSlotRuns,
  previewSchedule,
  readCalendar,
  readScheduledJob,
  removeScheduledJob,
  runScheduledJob,
  schedulerRoutes,
} from "./routes.ts";

const slot = "`job_id`, `slot`, `attempt`";

/** Jobs that start turns by a schedule. */
export const scheduler = defineResource({
  name: "scheduler",
  feature: "scheduler",
  definitions: [
    listScheduledJobs,
    createScheduledJob,
    readScheduledJob,
    editScheduledJob,
    removeScheduledJob,
    listSlotRuns,
    runScheduledJob,
    previewSchedule,
    readCalendar,
  ],
  topics: [
    {
      topic: "scheduler.changed",
      when: "A job was created, changed, paused or removed",
      data: "`job_id`, `action` (created, changed, paused, removed)",
    },
    {
      topic: "scheduler.fired",
      when: "An attempt of a slot began",
      data: `${slot}, \`schedule\`, \`prompt\` (200 characters), \`task_id\` (null: another service runs it)`,
    },
    {
      topic: "scheduler.finished",
      when: "An attempt of a slot ended",
      data: `${slot}, \`state\`, \`reason\`, \`task_id\``,
    },
    { topic: "scheduler.skipped", when: "A slot was not run", data: `${slot}, \`reason\` (overlap, nothing to do)` },
    {
      topic: "scheduler.missed",
      when: "Slots were not run in time",
      data: "`job_id`, `slot`, `upto`, `missed`, `reason` (off; null: the service was not running)",
    },
    {
      topic: "scheduler.overdue",
      when: "A run takes longer than is expected; it goes on",
      data: `${slot}, \`task_id\``,
    },
  ],
  routes: schedulerRoutes,
});
