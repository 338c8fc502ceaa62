import { type IncomingMessage, request as requestHttp } from "node:http";
import type { Duplex } from "node:stream";
import { EgressError } from "./egress-error.ts";
import { openSocket } from "./open-socket.ts";
import type { Target } from "./parse-target.ts";

/** Addresses tried before a host counts as unreachable. */
const MAX_ATTEMPTS = 4;

/** Milliseconds for one address while another is left to try. */
const ATTEMPT_MS = 4_000;

export interface OutgoingMessage {
  readonly method: string;
  /** Checked; lower-case names. */
  readonly headers: { readonly [name: string]: string };
  readonly body: string | Uint8Array | undefined;
}

async function openAny({ url, host }: Target, addresses: readonly string[], signal: AbortSignal): Promise<Duplex> {
  const isTls = url.protocol === "https:";
  const port = url.port === "" ? (isTls ? 443 : 80) : Number(url.port);
  const tried = addresses.slice(0, MAX_ATTEMPTS);
  let last: unknown;
  for (const [index, address] of tried.entries()) {
    const attempt = new AbortController();
    const timer =
      index === tried.length - 1
        ? undefined
        : setTimeout(() => attempt.abort(new EgressError("egress.timeout", "one address did not answer")), ATTEMPT_MS);
    try {
      const endpoint = { address, port, tlsName: isTls ? host : undefined };
      return await openSocket(endpoint, AbortSignal.any([signal, attempt.signal]));
    } catch (error) {
      signal.throwIfAborted();
      last = error;
    } finally {
      clearTimeout(timer);
    }
  }
  throw last;
}

/**
 * Makes one request over a connection of its own to one of these addresses, which were checked; Host and SNI keep the
 * name. Resolves at the head of the answer. Whoever reads it destroys it; the signal ends it at any time.
 */
export async function sendOnce(
  target: Target,
  addresses: readonly string[],
  message: OutgoingMessage,
  signal: AbortSignal,
  onConnected?: () => void,
): Promise<IncomingMessage> {
  const socket = await openAny(target, addresses, signal);
  onConnected?.();
  const { url } = target;
  const { method, headers, body } = message;
  return new Promise((resolve, reject) => {
    const outgoing = requestHttp({
      // Without an agent and with a socket of our own, node:http neither resolves nor connects nor keeps anything.
      createConnection: () => socket,
      method,
      path: `${url.pathname}${url.search}`,
      headers: { ...headers, host: url.host },
      maxHeaderSize: 32_768,
    });
    const onAbort = (): void => void outgoing.destroy(signal.reason as Error);
    signal.addEventListener("abort", onAbort, { once: true });
    outgoing.once("close", () => signal.removeEventListener("abort", onAbort));
    outgoing.on("error", reject);
    outgoing.once("response", resolve);
    if (signal.aborted) onAbort();
    outgoing.end(body);
  });
}
