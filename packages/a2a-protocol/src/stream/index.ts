export { applyFrame } from "./apply-frame.ts";
export { type RecentlyMade, recentlyMade } from "./recently-made.ts";
export type { SseEventInput } from "./sse-encode.ts";
export { encodeJsonEvent, encodeSseEvent, SSE_KEEP_ALIVE } from "./sse-encode.ts";
export type { SseEvent, SseParser, SseParserOptions } from "./sse-parser.ts";
export { createSseParser, SseLimitError } from "./sse-parser.ts";
export type { StreamResponse, TaskArtifactUpdateEvent, TaskStatusUpdateEvent } from "./stream-response.ts";
export type { Timers } from "./timers.ts";
export { runtimeTimers } from "./timers.ts";
