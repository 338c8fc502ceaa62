import type { SendMessageRequest } from "../../message/index.ts";
import { within } from "../../stream/index.ts";
import { waitingBody } from "../body/waiting-body.ts";
import { UNBUFFERED_HEADERS } from "../exchange/answer-headers.ts";
import type { EndpointParts, Exchange } from "../exchange/exchange.ts";
import { errorText, resultText } from "../exchange/framing.ts";
import { acceptMessage } from "./accept-message.ts";
import { heldIfLong, jsonReply } from "./json-reply.ts";

/**
 * Answers a send: with the settled task, or the working one where the caller does not wait (A10), or with the
 * executor's message. A wait beyond the keep-alive time starts the answer and fills it with white space until the task is
 * known.
 */
export async function sendReply(parts: EndpointParts, exchange: Exchange, params: SendMessageRequest) {
  const { executor, failures, timers, keepAliveMs } = parts;
  const { dialect, request, call } = exchange;
  const historyLength = params.configuration?.historyLength;
  const reading = await acceptMessage(executor, params, call, request.headers.get("idempotency-key"));
  if ("message" in reading) return jsonReply(parts, exchange, dialect.frame({ message: reading.message }));
  if (params.configuration?.returnImmediately === true) {
    return jsonReply(parts, exchange, dialect.sent(reading.now.task, historyLength));
  }
  // Without a signal: making one costs more than leaving a waiter behind when the client of a long send goes away.
  const settled = reading.settled();
  const early = await within(keepAliveMs, settled, timers);
  if (early !== undefined) return jsonReply(parts, exchange, dialect.sent(early, historyLength));
  const text = settled
    .then((late) => heldIfLong(parts, resultText(exchange, dialect.sent(late, historyLength))))
    .catch((error: unknown) => errorText(exchange, failures.describe(error)));
  const body = waitingBody({ text, every: keepAliveMs, timers });
  return new Response(body, { headers: { ...UNBUFFERED_HEADERS, ...exchange.headers } });
}
