export { promptSnapshots } from "./feature.ts";
export type { PromptMessage } from "./prompt-messages.ts";
export type { PromptCall, PromptRetention, PromptSection } from "./prompt-report.ts";
export { PromptSnapshots, type PromptSnapshotsOptions } from "./prompt-snapshots.ts";
export { type PromptsSectionValue, promptsSection } from "./prompts-section.ts";
