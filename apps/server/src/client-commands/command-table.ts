import { accessCommand } from "./access.ts";
import { approvalsCommand } from "./approvals.ts";
import { chatCommand } from "./chat.ts";
import type { ClientCommand } from "./command.ts";
import { configCommand } from "./config.ts";
import { connectCommand } from "./connect.ts";
import { doctorCommand } from "./doctor.ts";
import { eventsCommand } from "./events.ts";
import { jobsCommand } from "./jobs.ts";
import { logsCommand } from "./logs.ts";
import { sessionsCommand } from "./sessions.ts";
import { statusCommand } from "./status.ts";
import { steerCommand } from "./steer.ts";
import { tasksCommand } from "./tasks.ts";

/** Every command that talks to a service. `CLIENT_COMMANDS` of the slice `cli` has the same names. */
export const COMMANDS: readonly ClientCommand[] = Object.freeze([
  statusCommand,
  accessCommand,
  connectCommand,
  chatCommand,
  steerCommand,
  sessionsCommand,
  tasksCommand,
  approvalsCommand,
  jobsCommand,
  eventsCommand,
  logsCommand,
  configCommand,
  doctorCommand,
]);
