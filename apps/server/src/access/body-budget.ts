import type { CallerClass } from "@agent-service/agent-core/host";
import { type Party, PartyCount, partyOf } from "@agent-service/agent-core/host";
import { busy } from "./problem.ts";

/** Bytes up to which a body is not counted: the number of connections bounds those. */
const SMALL = 16 * 1024;
/** The share of the bytes that all peers together may use. */
const PEER_PART = 0.125;

export interface BodyHold {
  /** Adds received bytes of a body that did not declare its size; the 503 when the budget is used up. */
  grow(bytes: number): Response | undefined;
  release(): void;
}

/**
 * Bounds the bytes of request bodies that are being read and are not a task yet (EN10), for everybody and for peers
 * together, so that peers with slow, large bodies take nothing from the operator.
 */
export interface BodyBudget {
  /** A part for a body of `bytes`; the 503 with Retry-After when the budget is used up. */
  take(caller: CallerClass, bytes: number): BodyHold | Response;
}

const NOTHING: BodyHold = Object.freeze({ grow: () => undefined, release() {} });

/** A budget of `max` bytes; default 512 MiB, of which peers may have an eighth. */
export function createBodyBudget(max = 512 * 1024 * 1024): BodyBudget {
  const held = new PartyCount();
  const add = (party: Party, more: number): Response | undefined => {
    if (!held.free(party, max, { part: PEER_PART, more })) {
      return busy("The requests under way hold as much as this server reads at once.", 5);
    }
    held[party] += more;
    return undefined;
  };
  return {
    take(caller, bytes) {
      // Zero: its size is not declared, so it is counted as it comes.
      if (bytes > 0 && bytes <= SMALL) return NOTHING;
      const party = partyOf(caller);
      let own = 0;
      const grow = (more: number): Response | undefined => {
        const refusal = add(party, more);
        if (refusal === undefined) own += more;
        return refusal;
      };
      const refusal = bytes === 0 ? undefined : grow(bytes);
      if (refusal !== undefined) return refusal;
      return {
        grow,
        release() {
          held[party] -= own;
          own = 0;
        },
      };
    },
  };
}
