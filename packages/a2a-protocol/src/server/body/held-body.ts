import type { HeldText } from "./long-texts.ts";

/** Longest chunk in bytes: what a reader that has stopped has of its own. */
const CHUNK_LENGTH = 16 * 1024;

/** Hands the next bytes to a body; the last ones end it. */
export function sendHeld(held: HeldText, controller: ReadableStreamDefaultController<Uint8Array>): void {
  held.onCut ??= () => controller.error(new Error("The answer was cut off: its reader took nothing for too long"));
  controller.enqueue(held.take(CHUNK_LENGTH));
  if (held.length === 0) controller.close();
}

/** A long text as the bytes of a `Response`, made as they are pulled. */
export function heldBody(held: HeldText): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      pull: (controller) => sendHeld(held, controller),
      cancel: () => held.release(),
    },
    { highWaterMark: 0 },
  );
}
