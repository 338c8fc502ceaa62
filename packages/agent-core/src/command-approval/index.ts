export { AutoApproval, type AutoApproved, type DroppedEntry } from "./auto-approval.ts";
export { splitByQuotes, splitCommand } from "./split-command.ts";
