export { AutoApproval, type AutoApproved, type DroppedEntry } from "./auto-approval.ts";
export { splitCommand } from "./split-command.ts";
