/** The one table from how a turn of the chat ended, or could not begin, to the answer (document 2, Errors). */
import { isModelUnavailable, ModelConfigError, TaskError, type TaskView } from "@agent-service/agent-core";
import { Problem } from "@agent-service/operator-api";

/** What a failure is told with. */
export interface FailureNames {
  readonly session: string;
  /** The log has the failure under it. */
  readonly errorId: string;
}

/** Seconds after which a connection that cannot be set up is worth another try. */
const RETRY_SECONDS = 5;

/** What was thrown before a turn was accepted. Anything else passes through. */
export function acceptanceProblem(error: unknown, session: string): unknown {
  if (error instanceof ModelConfigError) {
    const detail = { code: error.code, message: error.message, upstream_status: null, session_id: session };
    return isUnset(error.code)
      ? new Problem(503, detail, { retryAfter: RETRY_SECONDS, cause: error })
      : new Problem(400, { ...detail, code: "unknown_model" }, { cause: error });
  }
  if (error instanceof TaskError && error.code === "unknown_command") {
    return new Problem(400, { code: error.code, message: error.message, session_id: session }, { cause: error });
  }
  if (error instanceof TaskError && error.code === "key_conflict") {
    const entry = {
      loc: ["header", "Idempotency-Key"],
      msg: "This key stands for a different request.",
      type: "idempotency_key_reused",
    };
    return new Problem(422, [entry], { cause: error });
  }
  return error;
}

/** A connection that lacks what it needs is the operator's to mend; any other value names no model. */
function isUnset(code: ModelConfigError["code"]): boolean {
  return code === "no_credential" || code === "invalid_base_url" || code === "invalid_header";
}

/** How a turn that did not complete is answered. */
export function failureProblem(view: Readonly<TaskView>, modelAsked: boolean, names: FailureNames): Problem {
  if (view.state === "canceled") {
    return new Problem(409, { ...detailOf("canceled", "The turn was canceled.", names), upstream_status: null });
  }
  const { code = "failed", message = "The turn failed.", upstreamStatus, retryAfterSeconds } = view.failure ?? {};
  const status = statusOf(code, modelAsked);
  const crashed = status === 500 && code === "internal";
  const text = crashed ? `The service failed on this turn; its log has the cause under ${names.errorId}.` : message;
  const detail = { ...detailOf(wordOf(code, status), text, names), upstream_status: upstreamStatus ?? null };
  return new Problem(status, detail, {
    retryAfter: status === 503 ? (retryAfterSeconds ?? RETRY_SECONDS) : retryAfterSeconds,
  });
}

function detailOf(code: string, message: string, { session, errorId }: FailureNames) {
  return { code, message, session_id: session, error_id: errorId };
}

function wordOf(code: string, status: number): string {
  return status === 400 ? "unknown_model" : code.replace(/^model_/, "");
}

function statusOf(code: string, modelAsked: boolean): number {
  switch (code) {
    case "model_rate_limited":
      return 429;
    case "model_unknown_model":
      return modelAsked ? 400 : 502;
    default:
      if (isModelUnavailable(code)) return 503;
      return code.startsWith("model_") ? 502 : 500;
  }
}
