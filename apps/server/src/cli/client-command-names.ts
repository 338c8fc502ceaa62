/** Names of the commands that talk to a service; what they do is loaded with the first of them. */
export const CLIENT_COMMANDS: readonly string[] = Object.freeze([
  ...["status", "access", "connect", "chat", "steer", "sessions", "tasks", "approvals", "jobs"],
  ...["events", "logs", "config", "doctor"],
]);
