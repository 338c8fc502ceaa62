import type { ServerResponse } from "node:http";
import type { CallerClass } from "@agent-service/agent-core/host";
import { PartyCount, partyOf, shareOf } from "@agent-service/agent-core/host";
import { busy } from "./problem.ts";

/**
 * Counts open streams and refuses those beyond the bound (S7), before any task exists. Callers other than the
 * operator have half of them together, so that the console always has one.
 */
export interface StreamLimit {
  readonly open: number;
  /**
   * Takes a stream of the caller's class until `outgoing` closes; the 503 with Retry-After when none is free. Without `outgoing` (no socket,
   * as in a direct call) only the bound is checked.
   */
  add(caller: CallerClass, outgoing: ServerResponse | undefined): Response | undefined;
}

/** A limit of `max` streams at once; default 2,000 (S7). */
export function createStreamLimit(max = 2_000): StreamLimit {
  const open = new PartyCount();
  return {
    get open() {
      return open.all;
    },
    add(caller, outgoing) {
      const party = partyOf(caller);
      if (!open.free(party, max)) {
        const most = shareOf(party, max);
        return busy(`${most} streams are open, which is as many as this server serves such callers at once.`, 5);
      }
      if (outgoing && !outgoing.destroyed) {
        open[party] += 1;
        outgoing.once("close", () => {
          open[party] -= 1;
        });
      }
      return undefined;
    },
  };
}
