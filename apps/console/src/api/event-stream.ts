/** An event of the service (`GET /api/events`). */
export interface ServiceEvent {
  readonly topic: string;
  readonly data: { readonly [key: string]: unknown };
}

export type Connection = "connecting" | "open" | "lost";

/** Follows `/api/events` for as long as the page lives. A connection that breaks is resumed behind the last event. */
export interface EventStream {
  /** Calls the listener with every event; returns an unsubscribe function. After `stream.gap`, events are missing: read everything again. */
  listen(listener: (event: ServiceEvent) => void): () => void;
  connection(): Connection;
  /** Calls the listener when the connection changes; returns an unsubscribe function. */
  subscribe(listener: () => void): () => void;
  start(): void;
  stop(): void;
}

/** What an event stream needs. */
export interface EventStreamOptions {
  /** Requests the stream, behind the event with the id `after`. Rejects when the service cannot be reached. */
  readonly open: (after: string | undefined, signal: AbortSignal) => Promise<Response>;
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Runs a function after a time; returns a function that cancels it. */
  readonly later: (run: () => void, ms: number) => () => void;
}

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 10_000;
/** The service sends a comment every 15 s. Without any, the connection is dead, as after the machine slept. */
const SILENCE_MS = 40_000;
/** Maximum characters of one frame. */
const MAX_PENDING = 1_048_576;

/** Creates an event stream over `fetch`: an `EventSource` could not send the operator's token. */
export function createEventStream({ open, wait, later }: EventStreamOptions): EventStream {
  const eventListeners = new Set<(event: ServiceEvent) => void>();
  const connectionListeners = new Set<() => void>();
  let connection: Connection = "connecting";
  let running: AbortController | undefined;
  let last: string | undefined;

  function become(next: Connection): void {
    if (connection === next) return;
    connection = next;
    for (const listener of connectionListeners) listener();
  }
  function publish(event: ServiceEvent): void {
    for (const listener of eventListeners) listener(event);
  }
  async function follow(ending: AbortSignal): Promise<void> {
    const silent = new AbortController();
    let cancelTimeout = later(() => silent.abort(), SILENCE_MS);
    try {
      await read(AbortSignal.any([ending, silent.signal]), () => {
        cancelTimeout();
        cancelTimeout = later(() => silent.abort(), SILENCE_MS);
      });
    } finally {
      cancelTimeout();
    }
  }
  async function read(signal: AbortSignal, onData: () => void): Promise<void> {
    const response = await open(last, signal);
    if (!response.ok || response.body === null) throw new Error(`The service answered ${response.status}.`);
    become("open");
    let pending = "";
    for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
      onData();
      pending += chunk;
      if (pending.length > MAX_PENDING) throw new Error("A frame is too long.");
      const frames = pending.split("\n\n");
      pending = frames.pop() ?? "";
      for (const frame of frames) {
        const { id, event } = readFrame(frame);
        if (id !== undefined) last = id;
        if (event !== undefined) publish(event);
      }
    }
  }
  async function run(signal: AbortSignal): Promise<void> {
    for (let failures = 0; !signal.aborted; ) {
      const before = last;
      try {
        await follow(signal);
      } catch {
        // A broken stream is opened again, whatever the reason.
      }
      if (signal.aborted) return;
      failures = last === before ? failures + 1 : 1;
      become("lost");
      await wait(Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (failures - 1)), signal);
    }
  }
  return {
    listen(listener) {
      eventListeners.add(listener);
      return () => eventListeners.delete(listener);
    },
    connection: () => connection,
    subscribe(listener) {
      connectionListeners.add(listener);
      return () => connectionListeners.delete(listener);
    },
    start() {
      if (running !== undefined) return;
      running = new AbortController();
      void run(running.signal).catch(() => {});
    },
    stop() {
      running?.abort();
      running = undefined;
    },
  };
}

/** Reads the `id:` and `data:` lines of a frame; all others are ignored. */
export function readFrame(frame: string): { readonly id?: string; readonly event?: ServiceEvent } {
  let id: string | undefined;
  let data = "";
  for (const line of frame.split("\n")) {
    if (line.startsWith("id:")) id = line.slice(3).trim();
    else if (line.startsWith("data:")) data += line.slice(5).trimStart();
  }
  const event = data === "" ? undefined : eventOf(data);
  return { ...(id !== undefined && { id }), ...(event !== undefined && { event }) };
}

function eventOf(text: string): ServiceEvent | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null || !("topic" in value) || typeof value.topic !== "string") return;
    const data = "data" in value && typeof value.data === "object" && value.data !== null ? value.data : {};
    return { topic: value.topic, data: data as ServiceEvent["data"] };
  } catch {
    return undefined;
  }
}
