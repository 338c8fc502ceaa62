import { ModelError, type ModelErrorCode } from "../model-error.ts";
import type { ErrorOrigin } from "./provider-error.ts";

const TIMEOUTS: ReadonlySet<string> = new Set([
  "UND_ERR_HEADERS_TIMEOUT",
  "UND_ERR_BODY_TIMEOUT",
  "UND_ERR_CONNECT_TIMEOUT",
  "ETIMEDOUT",
]);

/** The other side ended the connection, in order or not. */
const CLOSED: ReadonlySet<string> = new Set(["UND_ERR_SOCKET", "ECONNRESET", "EPIPE"]);

/** A failure below HTTP, as the model error it means. Our own errors pass unchanged. */
export function transportError(origin: ErrorOrigin, error: unknown, hasAnswered: boolean): ModelError {
  if (error instanceof ModelError) return error;
  const wire = codeOf(error);
  const code: ModelErrorCode = TIMEOUTS.has(wire) ? "timeout" : isUnparsable(error) ? "bad_response" : "network";
  // A parser's error carries the bytes it choked on, which may echo anything.
  const cause = code === "bad_response" ? {} : { cause: error };
  const answered = hasAnswered ? ({ hasAnswered } as const) : {};
  return new ModelError(code, `${origin.name} ${describe(code, wire, hasAnswered)}`, { ...cause, ...answered });
}

function describe(code: ModelErrorCode, wire: string, hasAnswered: boolean): string {
  if (code === "bad_response") return "answered something that is not HTTP";
  if (wire === "UND_ERR_CONNECT_TIMEOUT" || wire === "ETIMEDOUT") return "could not be reached in time";
  if (code === "timeout") return hasAnswered ? "fell silent in the middle of its answer" : "did not answer in time";
  const reason = wire === "" ? "" : ` (${wire})`;
  const when = hasAnswered ? "in the middle of its answer" : "before it answered";
  if (CLOSED.has(wire)) return `closed the connection ${when}${reason}`;
  return hasAnswered ? `broke off in the middle of its answer${reason}` : `could not be reached${reason}`;
}

/** undici's parser error does not always have a code. */
function isUnparsable(error: unknown): boolean {
  return error instanceof Error && error.name === "HTTPParserError";
}

function codeOf(error: unknown): string {
  if (typeof error !== "object" || error === null) return "";
  // Several addresses tried in vain make an AggregateError whose parts hold the reasons.
  const inner = error instanceof AggregateError ? error.errors[0] : undefined;
  const code = "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : inner === undefined ? "" : codeOf(inner);
}
