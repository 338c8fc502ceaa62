/** Reading a body within a limit (of a request, A4: 10 MiB, 413). */

/**
 * The body as text, or undefined when it is longer than `limit` bytes. A declared length is believed (the transport
 * holds the sender to it); without one the bytes are counted as they come and reading stops at the limit.
 */
export async function readBody(request: Request, limit: number): Promise<string | undefined> {
  const declared = request.headers.get("content-length");
  if (declared !== null) return Number(declared) <= limit ? request.text() : undefined;
  return readWithin(request.body, limit);
}

/** A stream as text, or undefined when it is longer than `limit` bytes: reading stops there. */
export async function readWithin(
  stream: ReadableStream<Uint8Array> | null,
  limit: number,
): Promise<string | undefined> {
  if (stream === null) return "";
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let text = "";
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    length += value.byteLength;
    if (length > limit) {
      // Cancelling stops the transport from receiving; its outcome does not matter.
      reader.cancel().catch(() => {});
      return undefined;
    }
    text += decoder.decode(value, { stream: true });
  }
}

/** True for `application/json`, `application/a2a+json` and other `+json` types, with or without parameters. */
export function isJsonContentType(value: string | null): boolean {
  return value === "application/json" || (value !== null && /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(value));
}
