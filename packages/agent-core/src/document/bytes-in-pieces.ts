/** What is done with the bytes of large documents on the main thread: a piece at a time, with other work between. */
import { createHash } from "node:crypto";
import { setImmediate } from "node:timers/promises";

/** Takes a millisecond or two. */
const PIECE = 512 * 1024;

/** A copy in a buffer of its own. */
export async function copyInPieces(bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const copy = new Uint8Array(bytes.length);
  for (let at = 0; at < bytes.length; at += PIECE) {
    if (at > 0) await setImmediate();
    copy.set(bytes.subarray(at, at + PIECE), at);
  }
  return copy;
}

/** SHA-256, in hex. */
export async function digestInPieces(bytes: Uint8Array): Promise<string> {
  const hash = createHash("sha256");
  for (let at = 0; at < bytes.length; at += PIECE) {
    if (at > 0) await setImmediate();
    hash.update(bytes.subarray(at, at + PIECE));
  }
  return hash.digest("hex");
}
