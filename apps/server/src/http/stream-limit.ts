import type { ServerResponse } from "node:http";
import { busy } from "./problem.ts";

/** Counts open streams and refuses those beyond the bound (ruling S7), before any task exists. */
export interface StreamLimit {
  /** Streams open now. */
  readonly open: number;
  /**
   * Takes a place until `outgoing` closes; the 503 with Retry-After when there is none. Without `outgoing` (no socket,
   * as in a direct call) only the bound is looked at.
   */
  admit(outgoing: ServerResponse | undefined): Response | undefined;
}

/** A limit of `max` streams at once; default 2,000 (ruling S7). */
export function createStreamLimit(max = 2_000): StreamLimit {
  let open = 0;
  return {
    get open() {
      return open;
    },
    admit(outgoing) {
      if (open >= max) return busy(`${max} streams are open, which is as many as this server serves at once.`, 5);
      if (outgoing && !outgoing.destroyed) {
        open += 1;
        outgoing.once("close", () => {
          open -= 1;
        });
      }
      return undefined;
    },
  };
}
