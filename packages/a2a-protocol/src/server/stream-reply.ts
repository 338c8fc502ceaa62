/** Streaming answers: where they begin (rulings A6b, A7, A15), and the response that carries them. */
import { A2AError, taskNotFound } from "../error/index.ts";
import type { SendMessageRequest } from "../message/index.ts";
import { encodeJsonEvent } from "../stream/index.ts";
import { isTerminal, type SubscribeToTaskRequest } from "../task/index.ts";
import { acceptMessage, cursorFrom } from "./accept-message.ts";
import { eventStream } from "./event-stream.ts";
import { type EndpointParts, type Exchange, UNBUFFERED_HEADERS } from "./exchange.ts";
import type { TaskReading, TaskSnapshot } from "./executor.ts";
import { framesToTheEnd } from "./frames-to-the-end.ts";
import { errorText, resultEnds } from "./framing.ts";

/** Characters of a frame from which on its bytes are shared between streams rather than made for each. */
const LONG_FRAME = 4 * 1024;

/** Where a stream begins. */
interface Opening {
  readonly reading: TaskReading;
  readonly from: TaskSnapshot;
  readonly historyLength?: number | undefined;
}

/** Accepts a message and streams its task. */
export function messageStreamReply(parts: EndpointParts, exchange: Exchange, params: SendMessageRequest) {
  return streamReply(parts, exchange, async () => {
    const { request, call } = exchange;
    const cursor = cursorFrom(request.headers.get("last-event-id"));
    const reading = await acceptMessage(parts.executor, params, call, request.headers.get("idempotency-key"));
    // A cursor counts only where the key named an earlier message (ruling A6b).
    const from = reading.replayFrom === undefined ? reading.now : await reading.at(cursor ?? reading.replayFrom);
    return { reading, from, historyLength: params.configuration?.historyLength };
  });
}

/** Streams a task that exists: as of the cursor and on, or as of now and on. */
export function taskStreamReply(parts: EndpointParts, exchange: Exchange, params: SubscribeToTaskRequest) {
  return streamReply(parts, exchange, async () => {
    const cursor = cursorFrom(exchange.request.headers.get("last-event-id")) ?? params.after;
    const reading = await parts.executor.read(params.id, exchange.call);
    if (reading === undefined) throw taskNotFound(params.id);
    const { task, seq } = reading.now;
    const isResuming = cursor !== undefined && cursor < seq;
    // Ruling A7: 0.3 is shown the end again, 1.0 reads the task. A cursor before the end is a stream that broke, and
    // ruling A6b promises the rest of it.
    if (exchange.call.version === "1.0" && isTerminal(task.status.state) && !isResuming) {
      throw new A2AError("UNSUPPORTED_OPERATION", "The task is over; nothing more happens to it");
    }
    return { reading, from: cursor === undefined ? reading.now : await reading.at(cursor) };
  });
}

/** Opens an event stream; its slot is taken before anything is accepted and given back when the stream ends. */
async function streamReply(parts: EndpointParts, exchange: Exchange, open: () => Promise<Opening>): Promise<Response> {
  const { request, dialect, headers } = exchange;
  const refusal = parts.guardStream?.(request);
  if (refusal !== undefined) return refusal;
  const release = parts.slots.take();
  try {
    const { reading, from, historyLength } = await open();
    const [before, after] = resultEnds(exchange);
    const body = eventStream({
      opening: encodeJsonEvent(from.seq, before + dialect.sent(from.task, historyLength) + after),
      follow: (signal) => framesToTheEnd(reading, from, signal),
      write: ({ seq, frame }) => {
        const json = dialect.frame(frame);
        if (json.length < LONG_FRAME) return encodeJsonEvent(seq, before + json + after);
        return [`id: ${seq}\ndata: ${before}`, parts.longFrames.bytes(json), `${after}\n\n`];
      },
      writeFailure: (error) => {
        const name = exchange.idJson === undefined ? "event: error\n" : "";
        return `${name}data: ${errorText(exchange, parts.failures.describe(error))}\n\n`;
      },
      keepAliveMs: parts.keepAliveMs,
      timers: parts.timers,
      onEnd: release,
    });
    return new Response(body, { headers: { ...headers, ...UNBUFFERED_HEADERS, "content-type": "text/event-stream" } });
  } catch (error) {
    release();
    throw error;
  }
}
