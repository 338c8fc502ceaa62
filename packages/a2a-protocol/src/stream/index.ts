export type { StreamResponse, TaskArtifactUpdateEvent, TaskStatusUpdateEvent } from "./stream-response.ts";
