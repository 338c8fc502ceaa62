import type { IncomingHttpHeaders } from "node:http";
import { problem } from "./problem.ts";

/** The largest request body: 10 MiB (A4), in bytes. */
export const maxBodyBytes = 10 * 1024 * 1024;

/** The 413 for a body larger than `limit` bytes. */
export function bodyTooLarge(limit: number): Response {
  return problem(413, `The request body is larger than ${limit} bytes.`);
}

/** True for a body in a content coding, such as gzip: it would have to be decoded before its size is known. */
export function isEncoded(headers: IncomingHttpHeaders): boolean {
  const coding = headers["content-encoding"]?.trim().toLowerCase() ?? "";
  return coding !== "" && coding !== "identity";
}

/** The 415 for a body in a content coding (RFC 9110, 15.5.16 names the header that names accepted codings). */
export function encodedBody(): Response {
  return problem(415, "The request body must not be compressed: no Content-Encoding but identity is taken.", {
    "accept-encoding": "identity",
  });
}

/** The result of the headers: its declared size is fine, too large, or not declared (chunked). */
export function declaredBody(headers: IncomingHttpHeaders, limit: number): "fits" | "too-large" | "undeclared" {
  const length = headers["content-length"];
  if (length !== undefined) return Number(length) > limit ? "too-large" : "fits";
  return headers["transfer-encoding"] === undefined ? "fits" : "undeclared";
}

/**
 * A chunked request with its body read, so that a handler never reads without a bound; the 413 as soon
 * as more than `limit` bytes arrived, or the response of `grow`, which is called with the size of each chunk. Requests with a declared length need no check here: Node enforces the declaration.
 */
export async function readUndeclaredBody(
  request: Request,
  limit: number,
  grow: (bytes: number) => Response | undefined,
): Promise<Request | Response> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  if (request.body) {
    const reader = request.body.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      size += value.byteLength;
      const refusal = size > limit ? bodyTooLarge(limit) : grow(value.byteLength);
      if (refusal !== undefined) {
        // Not awaited: the peer may continue to send, and the response should not wait for that.
        reader.cancel().catch(() => undefined);
        return refusal;
      }
      chunks.push(value);
    }
  }
  return new Request(request.url, {
    method: request.method,
    headers: request.headers,
    body: Buffer.concat(chunks, size),
    signal: request.signal,
  });
}
