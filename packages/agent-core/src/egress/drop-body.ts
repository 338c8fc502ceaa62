import type { IncomingMessage } from "node:http";

/** Milliseconds to drain a response body that is not used. */
const DROP_MS = 1_000;
/** Bytes of it that are taken. */
const DROP_BYTES = 65_536;

/**
 * Reads a small body to its end before the connection is closed: some servers take a connection that is cut while
 * they answer for a caller that went away. Nothing of it is kept, and time and bytes are bounded.
 */
export function dropBody(answer: IncomingMessage): void {
  let left = DROP_BYTES;
  const timer = setTimeout(() => answer.destroy(), DROP_MS);
  timer.unref();
  answer.on("error", () => {});
  answer.once("close", () => clearTimeout(timer));
  answer.on("data", (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) answer.destroy();
  });
}
