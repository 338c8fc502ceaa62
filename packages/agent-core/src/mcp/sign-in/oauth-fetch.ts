import type { FetchLike } from "@modelcontextprotocol/client";
import { type Egress, EgressError } from "../../egress/index.ts";
import { SignInError } from "./sign-in-error.ts";

/** Bytes of a document of an authorization server. */
const MAX_BODY_BYTES = 256 * 1024;
const TIMEOUT_MS = 15_000;
const OWN_HEADERS: ReadonlySet<string> = new Set(["host", "content-length", "connection"]);

/**
 * A fetch for the SDK's discovery, registration and token requests: through the egress guard, without redirects, bounded.
 * The server chooses the addresses of its metadata.
 */
export function oauthFetch(egress: Pick<Egress, "request">): FetchLike {
  return async (input, init = {}) => {
    const url = new URL(input);
    if (url.username !== "" || url.password !== "") throw refused("its sign-in names an address with a password");
    const method = (init.method ?? "GET").toUpperCase();
    if (method !== "GET" && method !== "POST") throw refused("its sign-in asks for a method that there is none of");
    const headers: Record<string, string> = {};
    for (const [name, value] of new Headers(init.headers)) if (!OWN_HEADERS.has(name)) headers[name] = value;
    const body = init.body instanceof URLSearchParams ? init.body.toString() : init.body;
    if (body != null && typeof body !== "string") throw refused("its sign-in asks for a body that is no text");
    const answer = await egress
      .request(url, {
        ...{ method, headers, timeoutMs: TIMEOUT_MS, maxBodyBytes: MAX_BODY_BYTES },
        ...(body != null && { body }),
        ...(init.signal != null && { signal: init.signal }),
      })
      .catch((error: unknown) => {
        throw error instanceof EgressError ? refused(error.message) : error;
      });
    const { status } = answer;
    // The SDK takes a document that is not there now for one that cannot be used.
    if (method === "GET" && (status >= 500 || status === 429))
      throw refused(`its authorization server answers with status ${status}`);
    const hasBody = status !== 204 && status !== 205 && status !== 304;
    const type = answer.headers["content-type"];
    return new Response(hasBody ? Buffer.from(answer.body) : null, {
      status: status >= 200 && status <= 599 ? status : 502,
      headers: type === undefined ? {} : { "content-type": type },
    });
  };
}

function refused(message: string): SignInError {
  return new SignInError("unreachable", message);
}
