import type { DeliveryPolicy, NewMemory, Trust } from "./chunk.ts";
import { spaced } from "./rejected-words.ts";

/** The accepted chunk that stands at the subject of a new memory. */
export interface StandingChunk {
  readonly id: number;
  readonly content: string;
  readonly policy: DeliveryPolicy;
  readonly trust: Trust;
}

export type WriteDecision =
  /** It says what chunk `id` says. `renews`: that one expires when this says. */
  | { readonly kind: "confirm"; readonly id: number; readonly renews: boolean }
  | { readonly kind: "store"; readonly replaces: number | undefined }
  | { readonly kind: "hold"; readonly why: string };

/**
 * What becomes of a new memory (K7): the same words confirm, others replace; what the operator said is never replaced by
 * anyone else's words.
 */
export function decideWrite(write: NewMemory, standing: StandingChunk | undefined): WriteDecision {
  if (standing !== undefined && standing.policy === write.policy && saysTheSame(standing.content, write.content))
    return { kind: "confirm", id: standing.id, renews: mayChange(write.trust, standing.trust) };
  if (write.held !== undefined) return { kind: "hold", why: write.held };
  if (standing?.trust === "operator" && write.trust !== "operator")
    return { kind: "hold", why: contradicting(standing.id) };
  return { kind: "store", replaces: standing?.id };
}

/** Why a memory waits that contradicts the operator's memory `id`. Written and read here alone. */
function contradicting(id: number): string {
  return `it contradicts ${id}, which the operator wrote`;
}

/** The memory of the operator's that is contradicted by one which waits for this reason. */
export function contradictedBy(why: string): number | undefined {
  const id = Number(/^it contradicts (\d+),/.exec(why)?.[1]);
  return Number.isSafeInteger(id) && why === contradicting(id) ? id : undefined;
}

/** Case counts: a correction may be one of case. */
export function saysTheSame(one: string, other: string): boolean {
  return spaced(one) === spaced(other);
}

function mayChange(writer: Trust, owner: Trust): boolean {
  return writer === owner || writer === "operator" || owner === "outside";
}
