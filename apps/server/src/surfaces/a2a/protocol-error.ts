/** The one table from the engine's errors to the protocol's (architecture rule 8; A4, A9, S7). */
import {
  A2AError,
  contentTypeNotSupported,
  ForbiddenError,
  invalidParams,
  OverloadedError,
  TaskNotWaitingError,
  taskNotFound,
} from "@agent-service/a2a-protocol";
import { DatabaseError, EgressError, isStoreGone, TaskError, WebhookError } from "@agent-service/agent-core/host";

/** Retry-After in seconds where there are too many webhooks. */
const WEBHOOK_RETRY_SECONDS = 60;
/** Retry-After in seconds for a store that takes no writes. */
const STORE_RETRY_SECONDS = 5;

function ofTaskError(error: TaskError, taskId: string): unknown {
  switch (error.code) {
    case "unknown_task":
      return taskNotFound(taskId);
    case "not_waiting":
      return new TaskNotWaitingError(taskId);
    case "prompt_gone":
      return new A2AError("TASK_NOT_CANCELABLE", `Task ${taskId}: ${error.message}`);
    case "forbidden":
      return new ForbiddenError(error.message);
    case "context_busy":
    case "overloaded":
      return new OverloadedError(429, error.message, error.retryAfterSeconds);
    case "draining":
      return new OverloadedError(503, error.message, error.retryAfterSeconds);
    case "key_conflict":
      return invalidParams(`Idempotency-Key: ${error.message}`);
    case "unknown_command":
      return invalidParams(error.message);
    case "unsupported_content":
      return contentTypeNotSupported(error.message);
  }
}

/** The protocol's error for one of the engine. Unknown errors pass through: they become -32603. */
export function protocolError(error: unknown, taskId = ""): unknown {
  if (error instanceof TaskError) return ofTaskError(error, taskId);
  // A4: the reason, which never holds an address that a name resolved to.
  if (error instanceof EgressError) return invalidParams(`pushNotificationConfig.url: ${error.message}`);
  if (error instanceof WebhookError) {
    if (error.code === "too_many") return invalidParams(`pushNotificationConfig: ${error.message}`);
    return new OverloadedError(429, error.message, WEBHOOK_RETRY_SECONDS);
  }
  if (isStoreGone(error) || (error instanceof DatabaseError && error.retryable)) {
    return new OverloadedError(503, "the store cannot accept work now", STORE_RETRY_SECONDS);
  }
  return error;
}
