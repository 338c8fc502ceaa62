import { DatabaseError } from "../database-error.ts";
import { errorCode } from "../native-error.ts";

/** What one failed exchange with a server means. */
export type RemoteFailure =
  /** The server executed and refused: `position` is the statement's index in the batch, where it is known. */
  | { readonly kind: "refused"; readonly error: DatabaseError; readonly position?: number }
  /** No answer, or none that can be understood: what was asked may or may not have happened. */
  | { readonly kind: "unknown"; readonly reason: string }
  /** The server will not talk to us at all. */
  | { readonly kind: "shut"; readonly error: DatabaseError };

/** Codes that the client gives for what went wrong between it and the server; any other is the server's own. */
const BETWEEN: ReadonlySet<string> = new Set([
  "SERVER_ERROR",
  "HRANA_PROTO_ERROR",
  "HRANA_CLOSED_ERROR",
  "HRANA_WEBSOCKET_ERROR",
  "PROTOCOL_VERSION_ERROR",
  "INTERNAL_ERROR",
  "UNKNOWN",
]);

/** Reads what the client threw. */
export function readRemoteFailure(error: unknown, description: string): RemoteFailure {
  const { code, message, cause, statementIndex } = error as {
    code?: unknown;
    message?: string;
    cause?: { status?: unknown; code?: unknown };
    statementIndex?: number;
  };
  const status = cause?.status;
  if (status === 401 || status === 403) {
    const refused = new DatabaseError("unwritable", `${description} refused the token (status ${status})`);
    return { kind: "shut", error: refused };
  }
  if (typeof code !== "string" || BETWEEN.has(code) || !isLibsqlError(error)) {
    const reason = [message, cause?.code].filter((part) => typeof part === "string").join(": ");
    return { kind: "unknown", reason: reason === "" ? String(error) : reason };
  }
  const text = message ?? code;
  const refused = new DatabaseError(errorCode(code, text), text, { cause: error });
  return { kind: "refused", error: refused, ...(statementIndex === undefined ? {} : { position: statementIndex }) };
}

/** By name: the class exists once per copy of the client's core. */
function isLibsqlError(error: unknown): boolean {
  return error instanceof Error && /^Libsql(?:Batch)?Error$/.test(error.name);
}
