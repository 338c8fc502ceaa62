import { OPERATOR_CLASS } from "./caller-class.ts";

/** Callers that are bounded together: the operator's class, and all others as one. */
export type Party = "operator" | "peers";

/** Whose bounds hold for a class. */
export function partyOf(callerClass: string): Party {
  return callerClass === OPERATOR_CLASS ? "operator" : "peers";
}

/** What a party may have of `whole`: the operator everything, peers the fraction `part`, at least one. */
export function shareOf(party: Party, whole: number, part = 0.5): number {
  return party === "operator" ? whole : Math.max(1, Math.floor(whole * part));
}

/** A count for each party, such as slots taken. */
export class PartyCount {
  operator = 0;
  peers = 0;

  /** Both together. */
  get all(): number {
    return this.operator + this.peers;
  }

  /**
   * Whether `more` of `whole` are free for a party. What peers have beyond their share, as after a bound was lowered,
   * is not taken from the operator.
   */
  free(party: Party, whole: number, { part = 0.5, more = 1 } = {}): boolean {
    const share = shareOf("peers", whole, part);
    if (party === "peers") return this.peers + more <= share && this.all + more <= whole;
    return this.operator + Math.min(this.peers, share) + more <= whole;
  }
}
