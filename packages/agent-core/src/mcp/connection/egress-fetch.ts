import { pipeline, Readable, Transform } from "node:stream";
import type { FetchLike } from "@modelcontextprotocol/client";
import { EgressError, type StreamingEgress } from "../../egress/index.ts";
import type { HttpTarget } from "../server-target.ts";
import { ConnectionError } from "./connection-error.ts";

/** Bytes of one message; a longer one ends the connection (M9). */
export const MAX_MESSAGE_BYTES = 10 * 1024 * 1024;
/** Milliseconds to the head of an answer: a call's own limit is the call's, so this only bounds what nothing else does. */
const HEAD_MS = 24 * 3_600_000;
const METHODS: ReadonlySet<string> = new Set(["GET", "POST", "DELETE"]);
/** Statuses whose answers have no body. */
const EMPTY: ReadonlySet<number> = new Set([204, 205, 304]);

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/** Passes a body on until one message in it is too long. Messages of an event stream end with a blank line. */
function messageBound(isEventStream: boolean, onTooLong: () => void): Transform {
  let size = 0;
  let isLineEmpty = true;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (isEventStream) {
        for (const byte of chunk) {
          size++;
          if (byte === LINE_FEED) {
            if (isLineEmpty) size = 0;
            isLineEmpty = true;
          } else if (byte !== CARRIAGE_RETURN) isLineEmpty = false;
          if (size > MAX_MESSAGE_BYTES) break;
        }
      } else size += chunk.length;
      if (size <= MAX_MESSAGE_BYTES) {
        done(null, chunk);
        return;
      }
      onTooLong();
      done(new ConnectionError("lost", "it sent a message of more than 10 MiB"));
    },
  });
}

/** The token that requests carry, where the operator signed in (M13). */
export interface RequestAuthorization {
  /** Undefined: there is none. @throws ConnectionError */
  token(): Promise<string | undefined>;
  /** The server refused a request: another token to send it with; undefined: there is none. */
  refused(token: string | undefined, response: Response): Promise<string | undefined>;
  /** The server wants a token that may do more: another one; undefined: there is none. */
  insufficient(token: string | undefined, response: Response): Promise<string | undefined>;
}

/** Why the server was not reached, and what to change; of the address nothing is repeated. */
function unreached({ code, message }: EgressError): string {
  const reason = / \([A-Z][A-Z0-9_]*\)$/.exec(message)?.[0] ?? "";
  if (code === "egress.network") return `its address was not reached${reason}; check \`url\`, and that the server runs`;
  return code === "egress.unresolved" ? "the host of its address is not known; check `url`" : message;
}

/** What a fetch for one server is made of. */
export interface EgressFetchOptions {
  readonly egress: Pick<StreamingEgress, "stream">;
  /** Resolved. Requests go to its origin only. */
  readonly target: HttpTarget;
  /** Undefined: requests carry the headers of the target, and nothing else. */
  readonly authorization?: RequestAuthorization | undefined;
  /** Called when the server sent a message that is too long: the connection has to end. */
  onTooLong(): void;
  /** Called when a stream that was opened by GET ended, however. */
  onStreamEnd?(): void;
}

/** A fetch for the SDK: through the egress guard, without redirects, with the server's own headers. */
export function egressFetch({ authorization, ...options }: EgressFetchOptions): FetchLike {
  const send = plainFetch(options);
  if (authorization === undefined) return send;
  return async (input, init = {}) => {
    const withToken = (token: string | undefined) => {
      if (token === undefined) return send(input, init);
      const headers = new Headers(init.headers);
      headers.set("authorization", `Bearer ${token}`);
      return send(input, { ...init, headers });
    };
    const token = await authorization.token();
    const answer = await withToken(token);
    if (wantsMore(answer))
      return withMore(answer, await authorization.insufficient(token, answer), init.body, withToken);
    if (answer.status !== 401) return answer;
    const other = await authorization.refused(token, answer);
    if (other === undefined) return answer;
    await answer.body?.cancel();
    // A challenge is sent before the request is handled: nothing was carried out. A bare 401 to a call may be what the tool met inside (MC2).
    if (!BEARER.test(answer.headers.get("www-authenticate") ?? "") && isCall(init.body))
      throw new ConnectionError("server", "it answered with status 401, and the call was not repeated");
    return withToken(other);
  };
}

/** Whether it is refused for what its token may not do (RFC 6750): nothing was carried out. */
function wantsMore({ status, headers }: Response): boolean {
  const challenge = headers.get("www-authenticate") ?? "";
  return status === 403 && BEARER.test(challenge) && /\berror="?insufficient_scope\b/i.test(challenge);
}

/** Sends a request again that its token may not make, where there is another. @throws ConnectionError where there is none that may */
async function withMore(
  refused: Response,
  other: string | undefined,
  body: unknown,
  send: (token: string) => Promise<Response>,
): Promise<Response> {
  await refused.body?.cancel();
  const again = other === undefined ? undefined : await send(other);
  if (again !== undefined && !wantsMore(again)) return again;
  await again?.body?.cancel();
  // One call that may not be made ends no connection: the others go on.
  throw new ConnectionError(
    isCall(body) ? "server" : "auth",
    "it wants more rights than it was granted; sign in to it again",
  );
}

const BEARER = /(?:^|,)\s*bearer\b/i;

function isCall(body: unknown): boolean {
  if (typeof body !== "string") return false;
  try {
    return (JSON.parse(body) as { readonly method?: unknown } | null)?.method === "tools/call";
  } catch {
    return true;
  }
}

function plainFetch({ egress, target, onTooLong, onStreamEnd }: Omit<EgressFetchOptions, "authorization">): FetchLike {
  const { origin } = new URL(target.url);
  return async (input, init = {}) => {
    const url = new URL(input);
    if (url.origin !== origin) throw new ConnectionError("server", "it names an address of another origin");
    const method = (init.method ?? "GET").toUpperCase();
    if (!METHODS.has(method)) throw new ConnectionError("server", `the method ${method} is not one of MCP`);
    const headers: Record<string, string> = {};
    for (const [name, value] of Object.entries(target.headers)) headers[name.toLowerCase()] = value;
    for (const [name, value] of new Headers(init.headers)) headers[name] = value;
    let isSent = false;
    const answer = await egress
      .stream(url, {
        method: method as "GET" | "POST" | "DELETE",
        headers,
        timeoutMs: HEAD_MS,
        onConnected: () => {
          isSent = true;
        },
        ...(typeof init.body === "string" && { body: init.body }),
        ...(init.signal != null && { signal: init.signal }),
      })
      .catch((error: unknown) => {
        if (!(error instanceof EgressError)) throw error;
        throw new ConnectionError(isSent ? "lost" : "not_sent", isSent ? error.message : unreached(error));
      });
    const responseHeaders = new Headers();
    for (const [name, value] of Object.entries(answer.headers)) {
      if (name !== "content-encoding" && name !== "content-length") responseHeaders.set(name, value);
    }
    const { status } = answer;
    if (EMPTY.has(status)) {
      answer.body.destroy();
      return new Response(null, { status, headers: responseHeaders });
    }
    const isEventStream = /^text\/event-stream\b/i.test(answer.headers["content-type"] ?? "");
    const bounded = pipeline(answer.body, messageBound(isEventStream, onTooLong), () => {
      if (isEventStream && method === "GET") onStreamEnd?.();
    });
    const body = Readable.toWeb(bounded) as ReadableStream<Uint8Array>;
    return new Response(body, { status: status >= 200 && status <= 599 ? status : 502, headers: responseHeaders });
  };
}
