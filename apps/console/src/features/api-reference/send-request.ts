import type { TriedRequest } from "./request-of.ts";

/** A response as it is shown; its text grows while it arrives. */
export interface TriedResponse {
  readonly status: number;
  readonly statusText: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Until its headers came. */
  readonly ms: number;
  readonly text: string;
  readonly bytes: number;
  /** More came than is shown. */
  readonly cut: boolean;
  readonly done: boolean;
}

/** Headers that say something about this response. */
const OF_NOTE = [
  ...["content-type", "content-disposition", "content-length", "location", "etag", "cache-control", "retry-after"],
  ...["idempotency-replayed", "www-authenticate", "x-request-id", "deprecation", "link"],
];
/** Bytes of a response that are shown; what comes after them is not read. */
const SHOWN_BYTES = 256 * 1024;

/**
 * Sends a request to the service below `root`, the only address it goes to, and reports its response as it arrives, at
 * most 256 KiB of it. Rejects as `fetch` does.
 */
export async function sendRequest(
  { method, path, headers, body }: TriedRequest,
  {
    root,
    token,
    signal,
    onResponse,
  }: {
    /** The service's own address: `https://host/agents/one`. */
    readonly root: string;
    readonly token: string | undefined;
    readonly signal: AbortSignal;
    readonly onResponse: (response: TriedResponse) => void;
  },
): Promise<void> {
  const url = new URL(root + path);
  if (!url.href.startsWith(`${root}/api/`)) throw new Error("This request would leave the API of this service.");
  const started = performance.now();
  const response = await fetch(url, {
    method,
    headers: { ...headers, ...(token !== undefined && { Authorization: `Bearer ${token}` }) },
    redirect: "error",
    signal,
    ...(body !== undefined && body !== "" && { body }),
  });
  const about = {
    status: response.status,
    statusText: response.statusText,
    headers: OF_NOTE.flatMap((name) => {
      const value = response.headers.get(name);
      return value === null ? [] : [[name, value] as const];
    }),
    ms: performance.now() - started,
  };
  const decoder = new TextDecoder();
  let [text, bytes] = ["", 0];
  const report = (done: boolean, cut = false): void => onResponse({ ...about, text, bytes, cut, done });
  report(false);
  for await (const chunk of chunksOf(response)) {
    const room = SHOWN_BYTES - bytes;
    bytes += Math.min(chunk.length, room);
    text += decoder.decode(chunk.subarray(0, room), { stream: true });
    if (chunk.length > room) {
      report(true, true);
      return;
    }
    report(false);
  }
  report(true);
}

/** The chunks of a body; leaving the loop ends the request. Not every browser iterates over streams. */
async function* chunksOf({ body }: Response): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader();
  if (reader === undefined) return;
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
  } finally {
    await reader.cancel().catch(() => {});
  }
}

/** JSON with line breaks; any other text, and JSON that is cut off, as it is. */
export function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
