/** The events of a stream: the Task, then what happens. */
import { encodeJsonEvent } from "../../stream/index.ts";
import { eventStream } from "../body/event-stream.ts";
import type { HeldText, LongTexts, TextKey } from "../body/long-texts.ts";
import type { OutgoingText } from "../body/outbox.ts";
import type { UnreadReading } from "../body/unread-readings.ts";
import type { CallContext } from "../call-context.ts";
import type { EndpointParts, Exchange } from "../exchange/exchange.ts";
import { errorText, resultEnds } from "../exchange/framing.ts";
import type { AgentExecutor, NumberedFrame, TaskReading } from "../executor.ts";
import { framesToTheEnd } from "./frames-to-the-end.ts";
import { isLongTask, withTask } from "./json-reply.ts";

/** Characters from which on the bytes of a frame or Task are shared between streams rather than made for each. */
const LONG_FRAME = 4 * 1024;

/** Where a stream begins: now, or as of an event. */
export interface Beginning {
  readonly reading: TaskReading;
  readonly at: number | undefined;
  readonly historyLength?: number | undefined;
  /** It stays open while the task waits for input (A7 for 1.0). Default: false. */
  readonly untilTerminal?: boolean;
}

/** The bytes of a stream from its beginning on. `onEnd` is called once, when it ends. */
export async function streamFrom(
  parts: EndpointParts,
  exchange: Exchange,
  beginning: Beginning,
  onEnd: () => void,
): Promise<ReadableStream<Uint8Array>> {
  const { reading } = beginning;
  const opening = await withTask(parts, reading, () => openingOf(parts, exchange, beginning));
  return eventStream({
    opening: opening.text,
    // Each is made in a function of its own: what one closure here captures, all of them keep in memory.
    ...followed(parts, new FollowedTask(parts.executor, exchange, opening, reading)),
    numberOf: ({ seq }) => seq,
    write: frameWriter(parts, exchange),
    writeFailure: failureWriter(parts, exchange),
    keepAliveMs: parts.keepAliveMs,
    timers: parts.timers,
    onEnd,
  });
}

/** The first event of a stream: the Task. */
interface Opening {
  readonly taskId: string;
  readonly seq: number;
  readonly text: OutgoingText;
  readonly untilTerminal: boolean;
}

async function openingOf(parts: EndpointParts, exchange: Exchange, beginning: Beginning): Promise<Opening> {
  const { longTexts } = parts;
  const { dialect, call } = exchange;
  const { reading, at, historyLength, untilTerminal = false } = beginning;
  const { now } = reading;
  const taskId = now.task.id;
  if (!isLongTask(reading)) {
    const { task, seq } = at === undefined ? now : await reading.at(at);
    const json = dialect.sent(task, historyLength);
    return { taskId, seq, text: eventText(exchange, seq, heldFrame(longTexts, json)), untilTerminal };
  }
  const seq = at === undefined ? now.seq : Math.min(Math.max(1, at), now.seq);
  const of = JSON.stringify([taskId, seq, call.caller.class, call.extensions, historyLength]);
  const key = { of, as: dialect };
  let json = longTexts.again(key);
  if (json === undefined) {
    const { task } = seq === now.seq ? now : await reading.at(seq);
    json = longTexts.hold(dialect.sent(task, historyLength), key);
  }
  return { taskId, seq, text: eventText(exchange, seq, json), untilTerminal };
}

/** Of a frame that others send too the text is made once. */
function frameWriter({ longTexts }: EndpointParts, exchange: Exchange): (item: NumberedFrame) => OutgoingText {
  const { dialect } = exchange;
  return (item) => {
    const { seq, frame } = item;
    const key = { of: item, as: dialect };
    return eventText(exchange, seq, longTexts.again(key) ?? heldFrame(longTexts, dialect.frame(frame), key));
  };
}

function heldFrame(longTexts: LongTexts, json: string, key?: TextKey): string | HeldText {
  return json.length < LONG_FRAME ? json : longTexts.hold(json, key);
}

function eventText(exchange: Exchange, seq: number, json: string | HeldText): OutgoingText {
  const [before, after] = resultEnds(exchange);
  if (typeof json === "string") return encodeJsonEvent(seq, before + json + after);
  return [`id: ${seq}\ndata: ${before}`, json, `${after}\n\n`];
}

function failureWriter({ failures }: EndpointParts, exchange: Exchange): (error: unknown) => string {
  const name = exchange.idJson === undefined ? "event: error\n" : "";
  return (error) => `${name}data: ${errorText(exchange, failures.describe(error))}\n\n`;
}

/** The frames behind an opening, or behind a long frame, while which is sent nothing else is kept. */
function framesBehind(
  reading: TaskReading,
  { seq, untilTerminal }: Pick<Opening, "seq" | "untilTerminal">,
  after: number | undefined,
  signal: AbortSignal,
): AsyncIterable<NumberedFrame> {
  if (after === undefined && !untilTerminal) return framesToTheEnd(reading, seq, signal);
  return reading.follow(after ?? seq, signal, { untilTerminal });
}

/** How a stream reads its task: what it was opened with at first, then the task anew each time, keeping none in between. */
class FollowedTask implements UnreadReading {
  readonly task: string;
  readonly #executor: AgentExecutor;
  readonly #call: CallContext;
  readonly #opening: Pick<Opening, "seq" | "untilTerminal">;
  #first: TaskReading | undefined;
  bytes: number;

  constructor(executor: AgentExecutor, { call }: Exchange, opening: Opening, reading: TaskReading) {
    const { taskId, seq, untilTerminal, text } = opening;
    this.task = taskId;
    this.#executor = executor;
    this.#call = call;
    this.#opening = { seq, untilTerminal };
    // A short opening leaves with the first chunk, which asks for more; a long one may never be taken.
    this.#first = typeof text === "string" ? reading : undefined;
    this.bytes = reading.bytes ?? 0;
  }

  get class(): string {
    return this.#call.caller.class;
  }

  follow(signal: AbortSignal, after?: number): AsyncIterable<NumberedFrame> {
    const first = this.#first;
    this.#first = undefined;
    if (first !== undefined) return framesBehind(first, this.#opening, after, signal);
    return eachOf(this.#framesAnew(signal, after));
  }

  async #framesAnew(signal: AbortSignal, after: number | undefined) {
    const reading = await this.#executor.read(this.task, this.#call);
    this.bytes = reading?.bytes ?? 0;
    return reading && framesBehind(reading, this.#opening, after, signal);
  }
}

/** A function of its own: what it closes over is all that a stream keeps. */
function followed({ unreadReadings }: EndpointParts, task: FollowedTask) {
  return {
    follow: (signal: AbortSignal, after?: number) => task.follow(signal, after),
    onPause: (close: () => void) => unreadReadings.add(task, close),
    onResume: () => unreadReadings.remove(task),
  };
}

async function* eachOf<T>(items: Promise<AsyncIterable<T> | undefined>): AsyncGenerator<T> {
  yield* (await items) ?? [];
}
