/** A request as the grammar makes it, and as it goes over the wire. */
import type { Transmission } from "./http-connection.ts";

/** Where a request goes, which decides what its answer must look like. */
export type Surface =
  | { readonly kind: "rpc"; readonly version: Version | "either"; readonly idJson: string | undefined }
  | { readonly kind: "rest"; readonly version: Version | "either" }
  | { readonly kind: "chat" | "card" | "health" | "metrics" | "plain" }
  /** Bytes that are hardly HTTP: any response of the parser is accepted, if it is well formed. */
  | { readonly kind: "bytes" };

export type Version = "0.3" | "1.0";

/** The operations of the protocol whose results have a shape of their own. */
export type Operation = "send" | "stream" | "get" | "cancel" | "subscribe" | "list" | "card" | PushOperation;
export type PushOperation = "push-set" | "push-get" | "push-list" | "push-delete";

/**
 * The class of an answer: `ok`; the JSON-RPC number of an error, also where HTTP+JSON names it otherwise;
 * `http 413` and the like for answers outside the protocol; `closed` for none.
 */
export type Outcome = string;

/** One request. */
export interface FuzzRequest {
  /** A short label, for the figures. */
  readonly label: string;
  readonly surface: Surface;
  /** What it asks for, as far as that is known; undefined: nothing that could succeed. */
  readonly operation?: Operation | undefined;
  readonly method: string;
  readonly target: string;
  /** In order, unchanged; no Content-Length and no Transfer-Encoding, which `framing` makes. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: Buffer | undefined;
  readonly framing?: "length" | "chunked";
  /** Instead of everything above but the surface: the very bytes. */
  readonly raw?: Transmission;
  /** Outcomes that are right; undefined: any that is documented. */
  readonly expects?: readonly Outcome[] | undefined;
  /** A text that no answer may hold. */
  readonly secret?: string | undefined;
  /** Events after which a stream is left; undefined: it is read to its end. */
  readonly leaveAfter?: number | undefined;
}

const CRLF = "\r\n";

/** The bytes of a request with a head and a body. */
export function bytesOf({ method, target, headers, body, framing = "length" }: FuzzRequest): Buffer {
  const lines = [`${method} ${target} HTTP/1.1`, ...headers.map(([name, value]) => `${name}: ${value}`)];
  if (body === undefined) return Buffer.from(lines.join(CRLF) + CRLF + CRLF, "latin1");
  lines.push(framing === "length" ? `Content-Length: ${body.length}` : "Transfer-Encoding: chunked");
  const head = Buffer.from(lines.join(CRLF) + CRLF + CRLF, "latin1");
  return Buffer.concat([head, framing === "length" ? body : inChunks(body)]);
}

/** The body in three chunks of different sizes. */
function inChunks(body: Buffer): Buffer {
  const cuts = [0, Math.floor(body.length / 7), Math.floor(body.length / 2), body.length];
  const chunks = cuts.slice(1).flatMap((end, i) => {
    const chunk = body.subarray(cuts[i], end);
    return chunk.length === 0 ? [] : [Buffer.from(chunk.length.toString(16) + CRLF), chunk, Buffer.from(CRLF)];
  });
  return Buffer.concat([...chunks, Buffer.from(`0${CRLF}${CRLF}`)]);
}

/** How the request is sent. `onStream` as in the transmission. */
export function transmissionOf(request: FuzzRequest, onStream?: Transmission["onStream"]): Transmission {
  const watch = onStream === undefined ? {} : { onStream };
  if (request.raw !== undefined) return { ...request.raw, ...watch };
  return { pieces: [bytesOf(request)], bodyless: request.method === "HEAD", ...watch };
}

/** Maximum length of a body in a command. */
const MOST_SHOWN = 1_500;

/** Text as the shell's `$'…'` takes it. */
function quoted(bytes: Buffer): string {
  const text = Array.from(bytes, (byte) => {
    const plain = byte >= 0x20 && byte < 0x7f && byte !== 0x5c && byte !== 0x27;
    return plain ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, "0")}`;
  });
  return `$'${text.join("")}'`;
}

/** A command that sends the same to a service at `port`. `file` holds the bytes, for what no command can carry. */
export function reproduction(request: FuzzRequest, port: number, file: string): string {
  const { method, target, headers, body = Buffer.alloc(0), raw, framing } = request;
  if (raw !== undefined || body.length > MOST_SHOWN) return `nc -N 127.0.0.1 ${port} < ${file}`;
  const chunked = framing === "chunked" ? ([["Transfer-Encoding", "chunked"]] as const) : [];
  const sent = [...headers, ...chunked].map(([name, value]) => ` -H ${quoted(Buffer.from(`${name}: ${value}`))}`);
  const data = body.length === 0 ? "" : ` --data-binary ${quoted(body)}`;
  const url = quoted(Buffer.from(`http://127.0.0.1:${port}${target}`, "latin1"));
  return `curl -sSi --path-as-is -g -X ${quoted(Buffer.from(method))}${sent.join("")}${data} ${url}`;
}
