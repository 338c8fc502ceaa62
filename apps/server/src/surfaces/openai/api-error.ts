/** Errors in the form of the chat-completions API (V1): `{error: {message, type, param, code}}`. */
import { jsonResponse } from "../../access/index.ts";

/** The value of `error`. */
export interface ErrorObject {
  readonly message: string;
  readonly type: string;
  /** The request field that is wrong, as in `messages[0].content`. */
  readonly param: string | null;
  readonly code: string | null;
}

export interface ApiErrorDetails {
  readonly param?: string;
  readonly code?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An error response. The message is for people and holds no secret. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;
  readonly object: ErrorObject;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, message: string, { param, code, headers = {} }: ApiErrorDetails = {}) {
    super(message);
    this.status = status;
    this.object = { message, type: typeOfStatus(status), param: param ?? null, code: code ?? null };
    this.headers = headers;
  }

  response(): Response {
    return jsonResponse({ error: this.object }, this.status, this.headers);
  }
}

export function badRequest(message: string, param?: string, code?: string): ApiError {
  return new ApiError(400, message, {
    ...(param === undefined ? {} : { param }),
    ...(code === undefined ? {} : { code }),
  });
}

/** The `type` of an error with this HTTP status. */
function typeOfStatus(status: number): string {
  if (status === 401) return "authentication_error";
  if (status === 403) return "permission_error";
  if (status === 429) return "rate_limit_error";
  if (status === 502) return "upstream_error";
  return status >= 500 ? "server_error" : "invalid_request_error";
}

/**
 * A refusal of access control, `{detail}` (S1), with the error object beside it where `path` is one of `/v1`: the
 * official clients show `error.message` and nothing else. Other responses pass unchanged, those on A2A's own paths under
 * `/v1` too (A4).
 */
export async function withErrorObject(path: string, refusal: Response, a2a: boolean): Promise<Response> {
  if (a2a || (path !== "/v1" && !path.startsWith("/v1/"))) return refusal;
  const { status } = refusal;
  const body: unknown = await refusal.json();
  const detail = typeof body === "object" && body !== null && "detail" in body ? body.detail : undefined;
  const { object } = new ApiError(status, typeof detail === "string" ? detail : `HTTP ${status}`);
  const headers = new Headers(refusal.headers);
  return new Response(JSON.stringify({ ...(body as object), error: object }), { status, headers });
}
