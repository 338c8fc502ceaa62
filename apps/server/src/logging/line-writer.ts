import type { Writable } from "node:stream";

/** Writes lines to a stream, losing lines rather than holding up the service. */
export interface LineWriter {
  /** `urgent`: the line goes at once, with all that wait. Others go a microtask later, or wait for `waitMs`. */
  write(line: string, urgent?: boolean): void;
  /** Writes what waits; for a process that ends without `flush`. Safe to pass around unbound. */
  readonly writeWaiting: () => void;
  /** Resolves once everything is written, or after half a second when the reader does not read: call it before exiting. */
  flush(): Promise<void>;
}

/** Lines beyond this many buffered bytes are dropped: a reader that stalls must not eat the memory. */
const maxBuffered = 8 * 1024 * 1024;
/** Milliseconds that `flush` waits for a reader. */
const maxFlushWait = 500;
/** Milliseconds between two writes of lines that may wait: a write for each line costs a busy service a tenth of its work. */
const waitMs = 50;

/**
 * A writer on a stream, for the process its standard output. A stalled or closed reader and a full disk lose log
 * lines, never the service. Node's own stdout is used, not pino's destination: that one writes through the thread pool
 * or in a loop, and either keeps a process with a stalled reader from ever exiting.
 */
export function createLineWriter(stream: Writable): LineWriter {
  let closed = false;
  let waiting = "";
  /** Runs for `waitMs` behind each write. */
  let pause: NodeJS.Timeout | undefined;
  let isQueued = false;
  stream.on("error", () => {
    closed = true;
  });
  function writeWaiting(): void {
    isQueued = false;
    clearTimeout(pause);
    pause = undefined;
    if (waiting === "") return;
    if (!closed) stream.write(waiting);
    waiting = "";
    pause = setTimeout(writeWaiting, waitMs);
  }
  return {
    write(line, urgent = false) {
      if (closed || stream.writableLength + waiting.length >= maxBuffered) return;
      waiting += line;
      if (urgent) return writeWaiting();
      if (pause !== undefined || isQueued) return;
      isQueued = true;
      queueMicrotask(() => isQueued && writeWaiting());
    },
    writeWaiting,
    async flush() {
      writeWaiting();
      if (closed || stream.writableLength === 0) return;
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        timer = setTimeout(resolve, maxFlushWait);
        stream.write("", () => resolve());
      });
      clearTimeout(timer);
    },
  };
}
