/** The one table from a chat turn that failed, or could not begin, to the response (B30). */
import {
  DatabaseError,
  isModelUnavailable,
  ModelConfigError,
  TaskError,
  type TaskView,
} from "@agent-service/agent-core/host";
import { Problem } from "@agent-service/operator-api";
import { asSentence, refusalOf } from "../../surfaces/operator/index.ts";

export interface FailureNames {
  readonly session: string;
  /** Id of the failure in the log. */
  readonly errorId: string;
}

/** Retry-After in seconds for a connection that cannot be set up. */
const RETRY_SECONDS = 5;

/** The response for an error before a turn was accepted. Unknown errors pass through. */
export function acceptanceProblem(error: unknown, names: FailureNames): unknown {
  const { session } = names;
  if (error instanceof ModelConfigError) {
    const unset = isUnset(error.code);
    const detail = {
      ...detailOf(unset ? error.code : "unknown_model", asSentence(error.message), names),
      upstream_status: null,
    };
    return new Problem(unset ? 503 : 400, detail, { retryAfter: unset ? RETRY_SECONDS : undefined, cause: error });
  }
  if (error instanceof TaskError && error.code === "unknown_command") {
    return new Problem(
      400,
      { code: error.code, message: asSentence(error.message), session_id: session },
      { cause: error },
    );
  }
  if (error instanceof TaskError && error.code === "unknown_task") {
    return new Problem(
      404,
      { code: "not_found", message: asSentence(error.message), session_id: session },
      { cause: error },
    );
  }
  if (error instanceof TaskError && error.code === "key_conflict") {
    const entry = {
      loc: ["header", "Idempotency-Key"],
      msg: "This key was used for a different request.",
      type: "idempotency_key_reused",
    };
    return new Problem(422, [entry], { cause: error });
  }
  return unavailable(error, names) ?? error;
}

/** The service accepts nothing now: the refusal of every route, in the form of this one. */
function unavailable(error: unknown, names: FailureNames): Problem | undefined {
  if (!(error instanceof TaskError || error instanceof DatabaseError)) return undefined;
  const refusal = refusalOf(error);
  if (refusal?.status !== 503) return undefined;
  const detail = { ...detailOf(error.code, refusal.message, names), upstream_status: null };
  return new Problem(503, detail, { retryAfter: refusal.retryAfter, cause: error });
}

/** An incomplete connection is the operator's error; any other value names no model. */
function isUnset(code: ModelConfigError["code"]): boolean {
  return code === "no_credential" || code === "invalid_base_url" || code === "invalid_header";
}

/** The response for a turn that did not complete. */
export function failureProblem(view: Readonly<TaskView>, names: FailureNames): Problem {
  if (view.state === "canceled") {
    return new Problem(409, { ...detailOf("canceled", "The turn was canceled.", names), upstream_status: null });
  }
  const { code = "failed", message = "The turn failed.", upstreamStatus, retryAfterSeconds } = view.failure ?? {};
  const status = statusOf(code);
  const crashed = status === 500 && code === "internal";
  const text = crashed ? `The service failed on this turn; its log has the cause under ${names.errorId}.` : message;
  const detail = { ...detailOf(codeOf(code, status), text, names), upstream_status: upstreamStatus ?? null };
  return new Problem(status, detail, {
    retryAfter: status === 503 ? (retryAfterSeconds ?? RETRY_SECONDS) : retryAfterSeconds,
  });
}

function detailOf(code: string, message: string, { session, errorId }: FailureNames) {
  return { code, message, session_id: session, error_id: errorId };
}

function codeOf(code: string, status: number): string {
  return status === 400 ? "unknown_model" : code.replace(/^model_/, "");
}

function statusOf(code: string): number {
  switch (code) {
    case "model_rate_limited":
      return 429;
    case "model_unknown_model":
      return 400;
    default:
      if (isModelUnavailable(code)) return 503;
      return code.startsWith("model_") ? 502 : 500;
  }
}
