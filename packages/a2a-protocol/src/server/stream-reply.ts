/** Streaming answers: where they begin (rulings A20, A7, A15), and the response that carries them. */
import { A2AError, taskNotFound } from "../error/index.ts";
import type { SendMessageRequest } from "../message/index.ts";
import { encodeJsonEvent, encodeSseEvent } from "../stream/index.ts";
import { isTerminal, type SubscribeToTaskRequest } from "../task/index.ts";
import { acceptMessage, cursorFrom } from "./accept-message.ts";
import { STREAM_HEADERS } from "./answer-headers.ts";
import { eventStream } from "./event-stream.ts";
import type { EndpointParts, Exchange } from "./exchange.ts";
import type { DirectReply, NumberedFrame, TaskReading, TaskSnapshot } from "./executor.ts";
import { framesToTheEnd } from "./frames-to-the-end.ts";
import { errorText, resultEnds, resultText } from "./framing.ts";

/** Characters of a frame from which on its bytes are shared between streams rather than made for each. */
const LONG_FRAME = 4 * 1024;

/** Where a stream begins. */
interface Opening {
  readonly from: TaskSnapshot;
  readonly follow: (signal: AbortSignal) => AsyncIterable<NumberedFrame>;
  readonly historyLength?: number | undefined;
}

/** Accepts a message and streams its task. */
export function messageStreamReply(parts: EndpointParts, exchange: Exchange, params: SendMessageRequest) {
  return streamReply(parts, exchange, async () => {
    const { request, call } = exchange;
    const cursor = cursorFrom(request.headers.get("last-event-id"));
    const reading = await acceptMessage(parts.executor, params, call, request.headers.get("idempotency-key"));
    if ("message" in reading) return reading;
    // A cursor counts only where the key named an earlier message (ruling A20).
    const from = reading.replayFrom === undefined ? reading.now : await reading.at(cursor ?? reading.replayFrom);
    return { from, follow: toTheEnd(reading, from), historyLength: params.configuration?.historyLength };
  });
}

/** Frames until the task is over or waits for somebody. */
function toTheEnd(reading: TaskReading, from: TaskSnapshot): Opening["follow"] {
  return (signal) => framesToTheEnd(reading, from, signal);
}

/**
 * Streams a task that exists: as of the cursor and on, or as of now and on. 1.0 stays while the task waits for somebody
 * and ends with its terminal state; 0.3 is shown the pause again and ends (ruling A7).
 */
export function taskStreamReply(parts: EndpointParts, exchange: Exchange, params: SubscribeToTaskRequest) {
  return streamReply(parts, exchange, async () => {
    const cursor = cursorFrom(exchange.request.headers.get("last-event-id")) ?? params.after;
    const reading = await parts.executor.read(params.id, exchange.call);
    if (reading === undefined) throw taskNotFound(params.id);
    const { task, seq } = reading.now;
    const isResuming = cursor !== undefined && cursor < seq;
    // Ruling A7: 0.3 is shown the end again, 1.0 reads the task. A cursor before the end is a stream that broke, and
    // ruling A20 promises the rest of it.
    if (exchange.call.version === "1.0" && isTerminal(task.status.state) && !isResuming) {
      throw new A2AError("UNSUPPORTED_OPERATION", "The task is over; nothing more happens to it");
    }
    const from = cursor === undefined ? reading.now : await reading.at(cursor);
    if (exchange.call.version === "0.3") return { from, follow: toTheEnd(reading, from) };
    return { from, follow: (signal) => reading.follow(from.seq, signal, { untilTerminal: true }) };
  });
}

/** Opens an event stream; its slot is taken before anything is accepted and given back when the stream ends. */
async function streamReply(
  parts: EndpointParts,
  exchange: Exchange,
  open: () => Promise<Opening | DirectReply>,
): Promise<Response> {
  const { request, dialect } = exchange;
  const headers = { ...exchange.headers, ...STREAM_HEADERS };
  const refusal = parts.guardStream?.(request);
  if (refusal !== undefined) return refusal;
  const release = parts.slots.take();
  try {
    const opening = await open();
    if ("message" in opening) {
      release();
      return new Response(encodeSseEvent({ data: resultText(exchange, dialect.frame(opening)) }), { headers });
    }
    const { from, follow, historyLength } = opening;
    const [before, after] = resultEnds(exchange);
    const body = eventStream({
      opening: encodeJsonEvent(from.seq, before + dialect.sent(from.task, historyLength) + after),
      follow,
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
    return new Response(body, { headers });
  } catch (error) {
    release();
    throw error;
  }
}
