/** Every command that talks to a service, a line each. Their order in `--help` is each command's own `order`. */
export { accessCommand } from "./commands/access.ts";
export { approvalsCommand } from "./commands/approvals.ts";
export { changesCommand } from "./commands/changes.ts";
export { chatCommand } from "./commands/chat.ts";
export { configCommand } from "./commands/config.ts";
export { connectCommand } from "./commands/connect.ts";
export { doctorCommand } from "./commands/doctor.ts";
export { eventsCommand } from "./commands/events.ts";
export { jobsCommand } from "./commands/jobs.ts";
export { logsCommand } from "./commands/logs.ts";
export { sessionsCommand } from "./commands/sessions.ts";
export { sharesCommand } from "./commands/shares.ts";
export { statusCommand } from "./commands/status.ts";
export { steerCommand } from "./commands/steer.ts";
export { tasksCommand } from "./commands/tasks.ts";
