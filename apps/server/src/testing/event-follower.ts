import { createSseParser } from "@agent-service/a2a-protocol";

/** An event of `GET /api/events`. */
export interface FollowedEvent {
  readonly id: string;
  readonly topic: string;
  readonly data: { readonly [key: string]: unknown };
  readonly seq: number;
}

/** A reader of `GET /api/events`. */
export interface EventFollower {
  /** Everything read so far. */
  readonly events: readonly FollowedEvent[];
  /** The bytes of the stream read so far, as text. */
  readonly text: string;
  /** Reads until an event passes; throws when the stream ends before. */
  until(passes: (event: FollowedEvent) => boolean): Promise<FollowedEvent>;
  close(): Promise<void>;
}

/** Follows the events of a service; resolves once the stream is open, so that nothing after that is missed. */
export async function followEvents(url: string, init: RequestInit = {}, query = ""): Promise<EventFollower> {
  const response = await fetch(`${url}/api/events${query}`, init);
  if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
  const reader = response.body!.getReader();
  const parser = createSseParser();
  const decoder = new TextDecoder();
  const events: FollowedEvent[] = [];
  let text = "";
  let looked = 0;
  async function read(): Promise<boolean> {
    const { done, value } = await reader.read();
    if (done) return false;
    text += decoder.decode(value, { stream: true });
    for (const { id, data } of parser.push(value)) events.push({ id, ...JSON.parse(data) } as FollowedEvent);
    return true;
  }
  await read();
  return {
    events,
    get text() {
      return text;
    },
    async until(passes) {
      for (;;) {
        while (looked < events.length) {
          const event = events[looked++]!;
          if (passes(event)) return event;
        }
        if (!(await read())) throw new Error(`the stream ended before: ${JSON.stringify(events)}`);
      }
    },
    close: () => reader.cancel(),
  };
}
