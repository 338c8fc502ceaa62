/** The one table from errors of the engine and failures of tasks to errors of this wire (V1, S7, A15). */
import {
  DatabaseError,
  isModelUnavailable,
  isStoreGone,
  ModelConfigError,
  TaskError,
  type TaskView,
} from "@agent-service/agent-core/host";
import { ApiError, badRequest } from "./api-error.ts";

/** Retry-After in seconds for a store that takes no writes, or a connection that cannot be set up. */
const RETRY_SECONDS = 5;

function retryAfter(seconds: number | undefined): Record<string, string> {
  return seconds === undefined ? {} : { "retry-after": String(seconds) };
}

function ofTaskError(error: TaskError): ApiError {
  const headers = retryAfter(error.retryAfterSeconds);
  switch (error.code) {
    case "overloaded":
      return new ApiError(429, error.message, { code: error.code, headers });
    case "draining":
      return new ApiError(503, error.message, { code: error.code, headers });
    case "key_conflict":
      return badRequest(error.message, "Idempotency-Key", error.code);
    case "unknown_command":
    case "unsupported_content":
      return badRequest(error.message, "messages", error.code);
    case "forbidden":
      return new ApiError(403, error.message, { code: error.code });
    case "unknown_task":
    case "not_waiting":
    case "prompt_gone":
    case "context_busy":
      return new ApiError(409, error.message, { code: error.code });
  }
}

/** The wire's error for one thrown before a task was accepted. Unknown errors pass through: they become a 500. */
export function acceptanceError(error: unknown): unknown {
  if (error instanceof TaskError) return ofTaskError(error);
  if (error instanceof ModelConfigError) return ofConfigError(error);
  if (isStoreGone(error) || (error instanceof DatabaseError && error.retryable)) {
    const headers = retryAfter(RETRY_SECONDS);
    return new ApiError(503, "The store cannot accept work now.", { code: "store_unavailable", headers });
  }
  return error;
}

/** An incomplete connection is the operator's error; an unknown one is the caller's. */
function ofConfigError({ code, message }: ModelConfigError): ApiError {
  if (code !== "no_credential" && code !== "invalid_base_url" && code !== "invalid_header")
    return unknownModel(message);
  return new ApiError(503, message, { code: `model_${code}`, headers: retryAfter(RETRY_SECONDS) });
}

function unknownModel(message: string): ApiError {
  return badRequest(message, "model", "model_not_found");
}

/** The official clients repeat failed requests by themselves; a turn with effects must not be repeated. */
const DO_NOT_REPEAT = { "x-should-retry": "false" } as const;

/** The error for a task that did not complete. */
export function failureError(view: Readonly<TaskView>): ApiError {
  if (view.state === "canceled") {
    return new ApiError(409, "The task was canceled.", { code: "task_canceled", headers: DO_NOT_REPEAT });
  }
  const { code = "failed", message = "The task failed.", retryAfterSeconds } = view.failure ?? {};
  switch (code) {
    case "model_rate_limited": {
      // With one model call no tool ran yet, so a client may try again.
      const again = view.steps <= 1 ? {} : DO_NOT_REPEAT;
      const headers = { ...retryAfter(retryAfterSeconds), ...again };
      return new ApiError(429, message, { code: "rate_limit_exceeded", headers });
    }
    case "model_unknown_model":
      return unknownModel(message);
    case "answer_does_not_fit":
      // The model failed, not the request.
      return new ApiError(502, message, { code, headers: DO_NOT_REPEAT });
    case "model_context_overflow":
      return badRequest(message, "messages", "context_length_exceeded");
    default:
      if (isModelUnavailable(code))
        return new ApiError(503, message, { code, headers: { ...retryAfter(RETRY_SECONDS), ...DO_NOT_REPEAT } });
      return new ApiError(code.startsWith("model_") ? 502 : 500, message, { code, headers: DO_NOT_REPEAT });
  }
}
