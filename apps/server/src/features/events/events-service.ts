import { runtimeTimers, type Timers } from "@agent-service/a2a-protocol";
import { eventStream } from "@agent-service/a2a-protocol/server";
import { type BusEvent, type EventLog, type JsonObject, topicProblem } from "@agent-service/agent-core/host";
import { type EventsService, Problem } from "@agent-service/operator-api";

export interface EventsServiceParts {
  readonly bus: Pick<EventLog, "publish" | "follow" | "cursor">;
  /** Milliseconds of silence before a comment; default 15,000 ms. */
  readonly keepAliveMs?: number | undefined;
  readonly timers?: Timers;
  /** Streams without the operator's credential at once. Default 200. */
  readonly maxPublicStreams?: number;
}

/** A tenth of all streams (S7): unauthenticated readers do not take those of the operator and of A2A. */
const MAX_PUBLIC_STREAMS = 200;
/** Milliseconds after which a browser reconnects a broken stream. */
const RETRY_MS = 2_000;

/** Events as server-sent ones (O7, S3). */
export function eventsService(parts: EventsServiceParts): EventsService {
  const { bus, keepAliveMs = 15_000, timers = runtimeTimers, maxPublicStreams = MAX_PUBLIC_STREAMS } = parts;
  let publicStreams = 0;
  return {
    follow(since, caller) {
      const isOperator = caller === "operator";
      if (!isOperator && publicStreams >= maxPublicStreams) {
        throw new Problem(503, "As many clients as may already follow the public events.", { retryAfter: 5 });
      }
      if (!isOperator) publicStreams++;
      const stop = new AbortController();
      // From here on nothing is missed, however late the first pull is.
      const cursor = since ?? bus.cursor;
      const pages = bus.follow(cursor, stop.signal);
      return eventStream({
        opening: `: events\nretry: ${RETRY_MS}\n${since === undefined ? `id: ${cursor}\n` : ""}\n`,
        follow: (signal) => {
          signal.addEventListener("abort", () => stop.abort(), { once: true });
          return framesOf(pages, isOperator);
        },
        write: (frames) => frames,
        writeFailure: () => "",
        keepAliveMs,
        timers,
        onEnd() {
          stop.abort();
          if (!isOperator) publicStreams--;
        },
      });
    },
    topicProblem: (topic) =>
      topic.startsWith("stream.") ? "Topics of the stream itself are not yours." : topicProblem(topic),
    publish: (topic, data) => bus.publish(topic, data as JsonObject),
  };
}

/** The frames of each page. A page without any that the caller may see sends nothing. */
async function* framesOf(pages: AsyncIterable<readonly BusEvent[]>, isOperator: boolean): AsyncGenerator<string> {
  for await (const page of pages) {
    let frames = "";
    for (const { id, text, publicText } of page) {
      const shown = isOperator ? text : publicText;
      if (shown !== undefined) frames += `id: ${id}\ndata: ${shown}\n\n`;
    }
    if (frames !== "") yield frames;
  }
}
