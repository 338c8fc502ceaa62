import type { IncomingMessage } from "node:http";
import { checkHost, type HostCheck } from "./check-host.ts";
import { dropBody } from "./drop-body.ts";
import { EgressError } from "./egress-error.ts";
import {
  type EgressAnswer,
  type EgressRequest,
  type EgressStream,
  type EgressStreamRequest,
  MAX_REDIRECTS,
} from "./egress-request.ts";
import { parseTarget, shownHost, type Target } from "./parse-target.ts";
import { ACCEPTED_ENCODINGS, decoded, readBody } from "./read-body.ts";
import { type OutgoingMessage, sendOnce } from "./send-once.ts";

const OURS: ReadonlySet<string> = new Set([
  ...["host", "connection", "content-length", "transfer-encoding", "te", "trailer", "upgrade", "expect"],
  ...["keep-alive", "proxy-connection", "proxy-authorization", "accept-encoding"],
]);

/** Headers that one origin was given and another must not see. */
const SECRET_HEADERS: ReadonlySet<string> = new Set([
  "authorization",
  "cookie",
  "x-a2a-notification-token",
  "x-api-key",
]);

function refuseHeader(name: string): never {
  throw new EgressError("egress.invalid-request", `the header ${JSON.stringify(name.slice(0, 100))} cannot be sent`);
}

function outgoing({ method = "GET", headers = {}, body }: EgressRequest, userAgent: string): OutgoingMessage {
  const all: Record<string, string> = { "user-agent": userAgent, "accept-encoding": ACCEPTED_ENCODINGS };
  for (const [written, value] of Object.entries(headers)) {
    const name = written.toLowerCase();
    if (OURS.has(name) || !/^[a-z0-9!#$%&'*+.^_`|~-]+$/.test(name) || /[^\t\x20-\x7e\x80-\xff]/.test(value)) {
      refuseHeader(written);
    }
    all[name] = value;
  }
  // Without a length node:http would send the body in chunks, which some receivers of webhooks cannot read.
  if (body !== undefined) all["content-length"] = String(Buffer.byteLength(body));
  return { method, headers: all, body };
}

function redirectsOf({ method = "GET", maxRedirects = 0 }: EgressRequest): number {
  const known = Number.isInteger(maxRedirects) && maxRedirects >= 0 && maxRedirects <= MAX_REDIRECTS;
  if (!known || (maxRedirects > 0 && method !== "GET" && method !== "HEAD")) {
    throw new EgressError("egress.invalid-request", `at most ${MAX_REDIRECTS} redirects, of GET and HEAD only`);
  }
  return maxRedirects;
}

function locationOf(answer: IncomingMessage): string | undefined {
  return [301, 302, 303, 307, 308].includes(answer.statusCode ?? 0) ? answer.headers.location : undefined;
}

function afterRedirect(message: OutgoingMessage, from: URL, to: URL): OutgoingMessage {
  if (from.origin === to.origin) return message;
  const kept = Object.entries(message.headers).filter(([name]) => !SECRET_HEADERS.has(name));
  return { ...message, headers: Object.fromEntries(kept) };
}

function plainHeaders(answer: IncomingMessage): { readonly [name: string]: string } {
  const pairs = Object.entries(answer.headersDistinct).map(([name, values]) => [name, (values ?? []).join(", ")]);
  return Object.fromEntries(pairs) as { readonly [name: string]: string };
}

async function answerOf(target: Target, answer: IncomingMessage, request: EgressRequest): Promise<EgressAnswer> {
  const { maxBodyBytes = 65_536, overflow = "refuse", method, headOnly } = request;
  const bounds = { maxBytes: maxBodyBytes, overflow };
  const isEmpty = method === "HEAD" || headOnly === true;
  const read = isEmpty ? { body: new Uint8Array(), cut: false } : await readBody(answer, bounds);
  const url = new URL(target.url);
  url.hash = "";
  return { url: url.href, status: answer.statusCode ?? 0, headers: plainHeaders(answer), ...read };
}

/** The same for each redirect of a request. */
export interface RequestFrame {
  readonly check: HostCheck;
  readonly userAgent: string;
  readonly signal: AbortSignal;
}

/** One request through the guard, each redirect checked like the first address. Rejects with raw socket errors too. */
export async function guardedRequest(
  start: Target,
  request: EgressRequest,
  { check, userAgent, signal }: RequestFrame,
): Promise<EgressAnswer> {
  let left = redirectsOf(request);
  const follows = left > 0;
  let message = outgoing(request, userAgent);
  let target = start;
  for (;;) {
    const addresses = await checkHost(target, check, signal);
    const answer = await sendOnce(target, addresses, message, signal);
    let end = (): void => void answer.destroy();
    try {
      const location = follows ? locationOf(answer) : undefined;
      if (location === undefined) {
        if (request.headOnly === true) end = () => dropBody(answer);
        return await answerOf(target, answer, request);
      }
      if (left === 0) {
        throw new EgressError("egress.too-many-redirects", `${shownHost(start.host)} redirects too many times`);
      }
      left--;
      const next = parseTarget(location, target.url);
      message = afterRedirect(message, target.url, next.url);
      target = next;
    } finally {
      end();
    }
  }
}

/** One request without redirects, whose answer is read as it comes. Rejects with raw socket errors too. */
export async function guardedStream(
  target: Target,
  request: EgressStreamRequest,
  { check, userAgent, signal }: RequestFrame,
): Promise<EgressStream> {
  const message = outgoing(request, userAgent);
  const addresses = await checkHost(target, check, signal);
  const answer = await sendOnce(target, addresses, message, signal, request.onConnected);
  try {
    return { status: answer.statusCode ?? 0, headers: plainHeaders(answer), body: decoded(answer) };
  } catch (error) {
    answer.destroy();
    throw error;
  }
}
