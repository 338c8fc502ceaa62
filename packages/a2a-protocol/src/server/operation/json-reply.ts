import { heldBody } from "../body/held-body.ts";
import type { HeldText } from "../body/long-texts.ts";
import type { EndpointParts, Exchange } from "../exchange/exchange.ts";
import { resultText } from "../exchange/framing.ts";
import type { TaskReading } from "../executor.ts";

/** Characters from which on an answer is sent piece by piece, as its reader takes it. */
const LONG_REPLY = 64 * 1024;
/** Bytes from which on Tasks are made one after the other. */
const LONG_TASK = 256 * 1024;

/** An answer's text, held for its reader where it is long. Throws `OverloadedError`. */
export function heldIfLong({ longTexts }: EndpointParts, text: string): string | HeldText {
  return text.length < LONG_REPLY ? text : longTexts.hold(text);
}

/** A result as the whole response, with a known length. Throws `OverloadedError`. */
export function jsonReply(parts: EndpointParts, exchange: Exchange, resultJson: string): Response {
  const text = heldIfLong(parts, resultText(exchange, resultJson));
  if (typeof text === "string") return new Response(text, { headers: exchange.headers });
  return new Response(heldBody(text), { headers: { ...exchange.headers, "content-length": String(text.length) } });
}

/** Whether a task is so long that it should not be in memory for each of its readers. */
export function isLongTask({ bytes = 0 }: TaskReading): boolean {
  return bytes >= LONG_TASK;
}

/** Does what needs a Task whole: at once, or for a long one when no other long one is being made. */
export function withTask<T>({ longTexts }: EndpointParts, reading: TaskReading, work: () => T | Promise<T>) {
  return isLongTask(reading) ? longTexts.inTurn(work) : work();
}
