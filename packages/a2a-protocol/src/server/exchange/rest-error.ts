/** Errors of HTTP+JSON: one table from the protocol's errors to HTTP (A2A 1.0.1 "Errors", A2). */
import type { A2AError, A2AErrorReason } from "../../error/index.ts";
import type { Dialect } from "../dialect/dialect.ts";

interface HttpError {
  readonly http: number;
  /** Name of the `google.rpc.Code`. */
  readonly status: string;
}

const INVALID: HttpError = { http: 400, status: "INVALID_ARGUMENT" };
const PRECONDITION: HttpError = { http: 400, status: "FAILED_PRECONDITION" };
const INTERNAL: HttpError = { http: 500, status: "INTERNAL" };

const byReason: Readonly<Record<A2AErrorReason, HttpError>> = {
  PARSE_ERROR: INVALID,
  INVALID_REQUEST: INVALID,
  METHOD_NOT_FOUND: { http: 404, status: "UNIMPLEMENTED" },
  INVALID_PARAMS: INVALID,
  INTERNAL_ERROR: INTERNAL,
  TASK_NOT_FOUND: { http: 404, status: "NOT_FOUND" },
  TASK_NOT_CANCELABLE: PRECONDITION,
  PUSH_NOTIFICATION_NOT_SUPPORTED: PRECONDITION,
  UNSUPPORTED_OPERATION: PRECONDITION,
  CONTENT_TYPE_NOT_SUPPORTED: INVALID,
  INVALID_AGENT_RESPONSE: INTERNAL,
  EXTENDED_AGENT_CARD_NOT_CONFIGURED: PRECONDITION,
  EXTENSION_SUPPORT_REQUIRED: PRECONDITION,
  VERSION_NOT_SUPPORTED: PRECONDITION,
};

const overloaded: ReadonlyMap<number, string> = new Map([
  [429, "RESOURCE_EXHAUSTED"],
  [503, "UNAVAILABLE"],
]);

/** The HTTP status of an error. */
export function restStatus({ reason = "INTERNAL_ERROR" }: A2AError): number {
  return byReason[reason].http;
}

/**
 * The body of an error: 1.0's `google.rpc.Status`; for 0.3, which defines none, the JSON-RPC error's fields and this
 * product's `detail`. `http`: the HTTP status where it is not the error's own.
 */
export function restErrorText(dialect: Dialect, error: A2AError, http = restStatus(error)): string {
  const { code, message, reason = "INTERNAL_ERROR" } = error;
  const data = dialect.errorData(error);
  if (dialect.version === "0.3") return JSON.stringify({ code, message, data, detail: message });
  const status = overloaded.get(http) ?? byReason[reason].status;
  return JSON.stringify({ error: { code: http, status, message, details: data } });
}
