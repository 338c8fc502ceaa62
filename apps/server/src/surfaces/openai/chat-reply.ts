/** How an accepted request is answered: whole, or as a stream (V1, A7, A10). */
import { type Timers, within } from "@agent-service/a2a-protocol";
import { eventStream, waitingBody } from "@agent-service/a2a-protocol/server";
import type { OpenedTurn } from "@agent-service/agent-core/host";
import { ApiError } from "./api-error.ts";
import { chatEvents } from "./chat-events.ts";
import { type ChatReader, settledOutcome } from "./chat-outcome.ts";
import type { CompletionWriter } from "./completion-writer.ts";

export interface ReplyParts {
  readonly timers: Timers;
  /** Milliseconds of silence before something is sent; until then a failure has its own status. */
  readonly keepAliveMs: number;
  /** Turns an unexpected error into the one to send, and logs its cause. */
  readonly describe: (error: unknown) => ApiError;
}

export interface ChatReply {
  readonly chat: OpenedTurn;
  readonly writer: CompletionWriter;
  readonly reader: ChatReader;
  /** Response headers, such as the session. */
  readonly headers: Readonly<Record<string, string>>;
}

const UNBUFFERED = { "cache-control": "no-cache", "x-accel-buffering": "no" } as const;

function known(error: unknown, { describe }: ReplyParts): ApiError {
  return error instanceof ApiError ? error : describe(error);
}

/**
 * The completion as one JSON object. A wait beyond the keep-alive time starts the answer with white space, as A10
 * has it; a failure after that is a completion whose `finish_reason` is `error`.
 */
export async function completionReply(
  parts: ReplyParts,
  { chat, writer, reader, headers }: ChatReply,
): Promise<Response> {
  const { timers, keepAliveMs } = parts;
  const settled = settledOutcome(chat, reader).then((outcome) => writer.completion(outcome));
  const early = await within(keepAliveMs, settled, timers);
  const json = { "content-type": "application/json", ...headers };
  if (early !== undefined) return new Response(early, { headers: { ...json, "cache-control": "no-store" } });
  const text = settled.catch((error: unknown) => writer.failure(known(error, parts).object));
  return new Response(waitingBody({ text, every: keepAliveMs, timers }), { headers: { ...json, ...UNBUFFERED } });
}

/**
 * The completion as a stream. It starts with the first text, or when the keep-alive time is over: a failure before that
 * is a response with its status. A client that disconnects ends the reading and nothing else (A7).
 */
export async function streamReply(
  parts: ReplyParts,
  { chat, writer, reader, headers }: ChatReply,
  { includeUsage, disconnected }: { readonly includeUsage: boolean; readonly disconnected: AbortSignal },
): Promise<Response> {
  const stop = new AbortController();
  const events = chatEvents(chat, { writer, reader, includeUsage }, stop.signal);
  const leave = (): void => {
    stop.abort();
    // A waiting reading ends by the signal; one that is never pulled again has to be closed.
    events.return(undefined).catch(() => {});
  };
  disconnected.addEventListener("abort", leave, { once: true });
  const first = events.next();
  await within(parts.keepAliveMs, first, parts.timers);
  const body = eventStream({
    opening: "",
    follow: (signal) => {
      signal.addEventListener("abort", leave, { once: true });
      return continued(first, events);
    },
    write: (text) => text,
    writeFailure: (error) => `data: ${JSON.stringify({ error: known(error, parts).object })}\n\n`,
    keepAliveMs: parts.keepAliveMs,
    timers: parts.timers,
    onEnd: () => disconnected.removeEventListener("abort", leave),
  });
  return new Response(body, { headers: { "content-type": "text/event-stream", ...UNBUFFERED, ...headers } });
}

/** A reading whose first item was requested already. */
async function* continued(first: Promise<IteratorResult<string, undefined>>, rest: AsyncGenerator<string, undefined>) {
  for (let item = await first; item.done !== true; item = await rest.next()) yield item.value;
}
