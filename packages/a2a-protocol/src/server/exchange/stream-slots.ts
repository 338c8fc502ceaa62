import { OverloadedError } from "../../error/index.ts";

/** Counts open streams. */
export interface StreamSlots {
  /** Takes a slot; the returned function gives it back, once however often it is called. Throws `OverloadedError` 503. */
  take(): () => void;
}

/** Room for `limit` streams (S7). */
export function createStreamSlots(limit: number): StreamSlots {
  let open = 0;
  return {
    take() {
      if (open >= limit) throw new OverloadedError(503, `All ${limit} streams are taken`, 5);
      open++;
      let held = true;
      return () => {
        if (held) open--;
        held = false;
      };
    },
  };
}
