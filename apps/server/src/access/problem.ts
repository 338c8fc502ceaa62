/**
 * The error bodies of everything outside JSON-RPC: `{detail}` (A4), one function per status that needs more than
 * a text. `detail` is for people and carries no secret and no cause; the cause is in the log under `error_id`.
 */

import { randomBytes } from "node:crypto";

/** A short id to find an internal error's cause by in the log: ten hex digits. */
export function newErrorId(): string {
  return randomBytes(5).toString("hex");
}

/** A JSON response `{detail}` with `status`. */
export function problem(status: number, detail: string, headers?: Readonly<Record<string, string>>): Response {
  return jsonResponse({ detail }, status, headers);
}

/** Any JSON value as a response. Plain header objects keep the Node adapter on its short path. */
export function jsonResponse(value: unknown, status = 200, headers?: Readonly<Record<string, string>>): Response {
  return new Response(JSON.stringify(value), {
    status,
    headers: { "content-type": "application/json", "cache-control": "no-store", ...headers },
  });
}

/** 401 naming the headers that would have been accepted (S1). */
export function unauthenticated(accepted: readonly string[]): Response {
  return problem(401, `Authentication required: send ${accepted.join(" or ")}.`, { "www-authenticate": "Bearer" });
}

/** 403: known, but not allowed here. */
export function forbidden(detail: string): Response {
  return problem(403, detail);
}

/** 405 with the methods the path does answer. */
export function methodNotAllowed(method: string, allowed: readonly string[]): Response {
  return problem(405, `${method} is not answered here; use ${allowed.join(", ")}.`, { allow: allowed.join(", ") });
}

/** 500 under an id that the log line carries too (A4, S5). */
export function internalError(errorId: string): Response {
  return jsonResponse(
    { detail: "Internal error; the server's log has the cause under this id.", error_id: errorId },
    500,
  );
}

/** 503 for something that passes by itself (S7). `retryAfter` in whole seconds. */
export function busy(detail: string, retryAfter: number): Response {
  return problem(503, detail, { "retry-after": String(retryAfter) });
}
