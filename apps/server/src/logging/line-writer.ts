import type { Writable } from "node:stream";

/** Writes lines to a stream, losing lines rather than holding up the service. */
export interface LineWriter {
  write(line: string): void;
  /** Resolves once everything is written, or after half a second when the reader does not read: call it before exiting. */
  flush(): Promise<void>;
}

/** Lines beyond this many buffered bytes are dropped: a reader that stalls must not eat the memory. */
const maxBuffered = 8 * 1024 * 1024;
/** Milliseconds that `flush` waits for a reader. */
const maxFlushWait = 500;

/**
 * A writer on a stream, for the process its standard output. A stalled or closed reader and a full disk lose log
 * lines, never the service. Node's own stdout is used, not pino's destination: that one writes through the thread pool
 * or in a loop, and either keeps a process with a stalled reader from ever exiting.
 */
export function createLineWriter(stream: Writable): LineWriter {
  let closed = false;
  stream.on("error", () => {
    closed = true;
  });
  return {
    write(line) {
      if (!closed && stream.writableLength < maxBuffered) stream.write(line);
    },
    async flush() {
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
