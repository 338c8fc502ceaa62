export { type MemoryFeatureOptions, memory, type OpenMemory } from "./feature.ts";
export { MemoryError, type MemoryErrorCode } from "./memory-error.ts";
export { memorySection } from "./memory-section.ts";
export { renderedSummary, type SessionSummary } from "./session-summary.ts";
export type { Summaries } from "./summaries.ts";
export type { SummaryCursor, SummaryEntry } from "./summary-index.ts";
