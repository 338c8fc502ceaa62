/** Extensions the agent implements (N1, A14), as the card declares them. */
import type { AgentExtension } from "@agent-service/a2a-protocol";

/** Metadata of progress frames: which call, started or ended, with a preview of arguments or result. */
export const TOOL_CALL_EXTENSION = "urn:agent-service:a2a:ext:tool-call-v1";
/** Resubscribing at a sequence number. */
export const STREAM_CURSOR_EXTENSION = "urn:agent-service:a2a:ext:stream-cursor-v1";
/** Requests that are accepted once. */
export const IDEMPOTENCY_EXTENSION = "urn:agent-service:a2a:ext:idempotency-v1";
/** The model's reasoning as frames of a stream, for operators who activate it. */
export const REASONING_EXTENSION = "urn:agent-service:a2a:ext:reasoning-v1";
/** Usage and cost of a task. */
export const COST_EXTENSION = "urn:agent-service:a2a:ext:cost-v1";

/** The card's `capabilities.extensions`. */
export const DECLARED_EXTENSIONS: readonly AgentExtension[] = Object.freeze([
  { uri: COST_EXTENSION, description: "Token usage, duration and cost of a task, in its metadata." },
  { uri: TOOL_CALL_EXTENSION, description: "Tool calls as metadata of progress frames." },
  { uri: STREAM_CURSOR_EXTENSION, description: "Streams can be picked up at a sequence number (Last-Event-ID)." },
  { uri: IDEMPOTENCY_EXTENSION, description: "Idempotency-Key: the same request is accepted once." },
  {
    uri: REASONING_EXTENSION,
    description: "The model's reasoning as frames of a stream, for the operator, where the request activates it.",
  },
]);

/** MIME types of typed data parts (N1). */
export const MEDIA_TYPES = Object.freeze({
  hitl: "application/vnd.agent-service.hitl-v1+json",
  reasoning: "application/vnd.agent-service.reasoning-v1+json",
  component: "application/vnd.agent-service.component-v1+json",
});
