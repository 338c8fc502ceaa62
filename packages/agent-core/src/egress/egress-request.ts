import type { Readable } from "node:stream";

/** A request as the guard takes it. */
export interface EgressRequest {
  /** Default `GET`. */
  readonly method?: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** `host`, `content-length` and headers that steer the connection are ours and refused here. */
  readonly headers?: { readonly [name: string]: string };
  readonly body?: string | Uint8Array;
  /** Milliseconds for everything: name, connection, every redirect, the whole body. Default 10,000. */
  readonly timeoutMs?: number;
  /** Ends the request; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Most bytes of body that are read, after decompression. Default 65,536. */
  readonly maxBodyBytes?: number;
  /** What a longer body does: `refuse` the request (default) or `cut` the body. */
  readonly overflow?: "refuse" | "cut";
  /** Only the answer's head counts: `body` is empty, and what comes of it is dropped, soon with the connection. */
  readonly headOnly?: boolean;
  /** Redirects followed, from 0 (default: a redirect is an answer like any other) to 5. GET and HEAD only. */
  readonly maxRedirects?: number;
}

/** A request whose answer is read while it comes. The bounds of its body are the reader's. */
export interface EgressStreamRequest
  extends Pick<EgressRequest, "method" | "headers" | "body" | "timeoutMs" | "signal"> {
  /** Called once a connection is open, before anything of the request is sent: until then the other side knows nothing. */
  readonly onConnected?: () => void;
}

/** The head of an answer, and its body as it comes. */
export interface EgressStream {
  readonly status: number;
  /** As those of `EgressAnswer`. */
  readonly headers: { readonly [name: string]: string };
  /** Decompressed. Whoever has it reads it to its end or destroys it; the request's signal destroys it too. */
  readonly body: Readable;
}

export interface EgressAnswer {
  /** Where the answer came from, after redirects; without a fragment. */
  readonly url: string;
  readonly status: number;
  /** Lower-case names; of repeated ones the values joined with `, `. */
  readonly headers: { readonly [name: string]: string };
  /** Decompressed. */
  readonly body: Uint8Array;
  /** True when the body was longer than `maxBodyBytes` and `overflow` is `cut`. */
  readonly cut: boolean;
}

/** Most redirects of one request (W3). */
export const MAX_REDIRECTS = 5;
