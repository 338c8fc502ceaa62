import type { Timers } from "../../stream/index.ts";
import { sendHeld } from "./held-body.ts";
import { HeldText } from "./long-texts.ts";

/** Settings of a body that is still being worked on. */
export interface WaitingBodyOptions {
  /** The JSON text; must not reject. */
  readonly text: Promise<string | HeldText>;
  /** Milliseconds between pieces of white space. */
  readonly every: number;
  readonly timers: Timers;
}

/**
 * A JSON body that starts before it is known: white space now and then, which JSON allows, so that clients' header and
 * idle timeouts do not cut a long wait (A10), and then the text.
 */
export function waitingBody({ text, every, timers }: WaitingBodyOptions): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let known: string | HeldText | undefined;
  let started = false;
  let left = false;
  let wake: (() => void) | undefined;
  function arrive(value: string | HeldText): void {
    if (left && value instanceof HeldText) value.release();
    known = value;
    wake?.();
  }
  void text.then(arrive);
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (started && known === undefined) {
          await new Promise<void>((resolve) => {
            const stop = timers.after(every, resolve);
            wake = () => {
              stop();
              resolve();
            };
          });
        }
        started = true;
        if (left) return;
        if (known instanceof HeldText) return sendHeld(known, controller);
        controller.enqueue(encoder.encode(known ?? " "));
        if (known !== undefined) controller.close();
      },
      cancel() {
        left = true;
        if (known instanceof HeldText) known.release();
        wake?.();
      },
    },
    { highWaterMark: 0 },
  );
}
