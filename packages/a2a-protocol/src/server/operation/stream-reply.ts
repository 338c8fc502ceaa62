/** Streaming answers: where they begin (A20, A7, A15), and the response that carries them. */
import { A2AError, taskNotFound } from "../../error/index.ts";
import type { SendMessageRequest } from "../../message/index.ts";
import { encodeSseEvent } from "../../stream/index.ts";
import { isTerminal, type SubscribeToTaskRequest } from "../../task/index.ts";
import { STREAM_HEADERS } from "../exchange/answer-headers.ts";
import type { EndpointParts, Exchange } from "../exchange/exchange.ts";
import { resultText } from "../exchange/framing.ts";
import type { DirectReply } from "../executor.ts";
import { acceptMessage, cursorFrom } from "./accept-message.ts";
import { type Beginning, streamFrom } from "./stream-from.ts";

/** Accepts a message and streams its task. */
export function messageStreamReply(parts: EndpointParts, exchange: Exchange, params: SendMessageRequest) {
  return streamReply(parts, exchange, async () => {
    const { request, call } = exchange;
    const cursor = cursorFrom(request.headers.get("last-event-id"));
    const reading = await acceptMessage(parts.executor, params, call, request.headers.get("idempotency-key"));
    if ("message" in reading) return reading;
    // A cursor counts only where the key named an earlier message (A20).
    const at = reading.replayFrom === undefined ? undefined : (cursor ?? reading.replayFrom);
    return { reading, at, historyLength: params.configuration?.historyLength };
  });
}

/**
 * Streams a task that exists, from the cursor or from now on. 1.0 stays open while the task waits for input and ends with
 * its terminal state; 0.3 gets the pause again and ends (A7).
 */
export function taskStreamReply(parts: EndpointParts, exchange: Exchange, params: SubscribeToTaskRequest) {
  return streamReply(parts, exchange, async () => {
    const cursor = cursorFrom(exchange.request.headers.get("last-event-id")) ?? params.after;
    const reading = await parts.executor.read(params.id, exchange.call);
    if (reading === undefined) throw taskNotFound(params.id);
    const { task, seq } = reading.now;
    const isResuming = cursor !== undefined && cursor < seq;
    // A7: 0.3 is shown the end again, 1.0 reads the task. A cursor before the end is a stream that broke, and
    // A20 promises the rest of it.
    if (exchange.call.version === "1.0" && isTerminal(task.status.state) && !isResuming) {
      throw new A2AError("UNSUPPORTED_OPERATION", "The task is over; nothing more happens to it");
    }
    return { reading, at: cursor, untilTerminal: exchange.call.version === "1.0" };
  });
}

/** Opens an event stream; its slot is taken before anything is accepted and given back when the stream ends. */
async function streamReply(
  parts: EndpointParts,
  exchange: Exchange,
  begin: () => Promise<Beginning | DirectReply>,
): Promise<Response> {
  const { request, dialect } = exchange;
  const headers = { ...exchange.headers, ...STREAM_HEADERS };
  const refusal = parts.guardStream?.(request);
  if (refusal !== undefined) return refusal;
  const release = parts.slots.take();
  try {
    const beginning = await begin();
    if ("message" in beginning) {
      release();
      return new Response(encodeSseEvent({ data: resultText(exchange, dialect.frame(beginning)) }), { headers });
    }
    return new Response(await streamFrom(parts, exchange, beginning, release), { headers });
  } catch (error) {
    release();
    throw error;
  }
}
