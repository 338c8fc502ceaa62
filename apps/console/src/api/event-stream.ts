/** A change that the service told (`GET /api/events`). */
export interface ServiceEvent {
  readonly topic: string;
  readonly data: { readonly [key: string]: unknown };
}

/** How it stands with the connection. */
export type Connection = "connecting" | "open" | "lost";

/** Follows `/api/events` for as long as the page lives, and picks it up where it broke. */
export interface EventStream {
  /** Hears every event. `stream.gap`: some were missed, read everything again. */
  listen(hear: (event: ServiceEvent) => void): () => void;
  connection(): Connection;
  /** Told when the connection changes. */
  subscribe(tell: () => void): () => void;
  start(): void;
  stop(): void;
}

/** What an event stream needs. */
export interface EventStreamOptions {
  /** Asks for the stream, from after an event on. Rejects when there is no way to the service. */
  readonly open: (after: string | undefined, signal: AbortSignal) => Promise<Response>;
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Runs something later; the function returned takes it back. */
  readonly later: (run: () => void, ms: number) => () => void;
}

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 10_000;
/** The service gives a sign of life every 15 s: one that gives none is gone, though nobody said so, as after a sleep. */
const SILENCE_MS = 40_000;
/** Characters of one frame. */
const MOST_PENDING = 1_048_576;

/** Makes an event stream. It is a `fetch` and no `EventSource`, which could not send the operator's token. */
export function createEventStream({ open, wait, later }: EventStreamOptions): EventStream {
  const hearers = new Set<(event: ServiceEvent) => void>();
  const listeners = new Set<() => void>();
  let connection: Connection = "connecting";
  let running: AbortController | undefined;
  let last: string | undefined;

  function become(next: Connection): void {
    if (connection === next) return;
    connection = next;
    for (const tell of listeners) tell();
  }
  function tell(event: ServiceEvent): void {
    for (const hear of hearers) hear(event);
  }
  async function follow(ending: AbortSignal): Promise<void> {
    const silent = new AbortController();
    let heard = later(() => silent.abort(), SILENCE_MS);
    try {
      await read(AbortSignal.any([ending, silent.signal]), () => {
        heard();
        heard = later(() => silent.abort(), SILENCE_MS);
      });
    } finally {
      heard();
    }
  }
  async function read(signal: AbortSignal, hears: () => void): Promise<void> {
    const response = await open(last, signal);
    if (!response.ok || response.body === null) throw new Error(`The service answered ${response.status}.`);
    become("open");
    let pending = "";
    for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
      hears();
      pending += piece;
      if (pending.length > MOST_PENDING) throw new Error("A frame is too long.");
      const frames = pending.split("\n\n");
      pending = frames.pop() ?? "";
      for (const frame of frames) {
        const { id, event } = readFrame(frame);
        if (id !== undefined) last = id;
        if (event !== undefined) tell(event);
      }
    }
  }
  async function run(signal: AbortSignal): Promise<void> {
    for (let failures = 0; !signal.aborted; ) {
      const before = last;
      try {
        await follow(signal);
      } catch {
        // Whatever broke it: it is picked up.
      }
      if (signal.aborted) return;
      failures = last === before ? failures + 1 : 1;
      become("lost");
      await wait(Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (failures - 1)), signal);
    }
  }
  return {
    listen(hear) {
      hearers.add(hear);
      return () => hearers.delete(hear);
    },
    connection: () => connection,
    subscribe(told) {
      listeners.add(told);
      return () => listeners.delete(told);
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

/** Reads a frame of an event stream: `id:` and `data:` lines, all others are passed over. */
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
