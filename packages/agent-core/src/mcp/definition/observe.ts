/**
 * The pure decisions about definitions (M8): what a server shows, and what the operator says, beside what is approved.
 *
 * Invariants (the tests cite them)
 *  1. `approved` changes only with the operator's approval of exactly that text, with the first definitions of a server,
 *     or where `pinning` accepts it.
 *  2. A definition that changes after a decision about it waits for another one.
 */
import type { Pinning } from "../settings/index.ts";
import { type Definition, type DefinitionKind, definitionDigest } from "./definition.ts";
import { isWaiting, type PinnedDefinition } from "./pinned-definition.ts";

/** Definitions of a server that are remembered; those that are gone longest are forgotten first. */
const MAX_PINS = 4_096;

/** What a server showed. */
export interface ShownDefinitions {
  /** Only of these kinds; others stay as they are. */
  readonly kinds: readonly DefinitionKind[];
  /** Each name once in its kind. */
  readonly definitions: readonly Definition[];
  readonly pinning: Pinning;
  /** They are the first of the server since the operator added it, or since `repin`. */
  readonly isFirst: boolean;
  /** The program or address was changed in the file since they were approved. */
  readonly isOtherTarget: boolean;
  /** Epoch milliseconds. */
  readonly at: number;
  /** Digests that are computed already; others are computed here. */
  readonly digests?: ReadonlyMap<Definition, string>;
}

/** By kind and name, so that what the model is shown has one order whatever order a server lists in. */
export function byName(one: PinnedDefinition, other: PinnedDefinition): number {
  if (one.kind !== other.kind) return one.kind === "tool" ? -1 : 1;
  return one.name < other.name ? -1 : one.name > other.name ? 1 : 0;
}

const keyOf = ({ kind, name }: { readonly kind: DefinitionKind; readonly name: string }): string => `${kind}\0${name}`;

/** The pins after a server showed its definitions; an unchanged pin is the same object. */
export function observeDefinitions(
  pins: readonly PinnedDefinition[],
  shown: ShownDefinitions,
): readonly PinnedDefinition[] {
  const now = new Map(shown.definitions.map((definition) => [keyOf(definition), definition]));
  const before = new Set(pins.map(keyOf));
  const kept = pins.flatMap((pin): readonly PinnedDefinition[] => {
    if (!shown.kinds.includes(pin.kind)) return [pin];
    const definition = now.get(keyOf(pin));
    if (definition !== undefined) return [seenAgain(pin, definition, shown)];
    // What was never approved and is gone leaves nothing to compare with.
    if (pin.approved === undefined) return [];
    return [pin.state === "gone" ? pin : { ...pin, state: "gone" }];
  });
  const added = shown.definitions.filter((definition) => !before.has(keyOf(definition)));
  return bounded([...kept, ...added.map((definition) => seenFirst(definition, shown))]).sort(byName);
}

function bounded(pins: PinnedDefinition[]): PinnedDefinition[] {
  if (pins.length <= MAX_PINS) return pins;
  const gone = pins.filter(({ state }) => state === "gone").sort((one, other) => one.seenAt - other.seenAt);
  const forgotten = new Set(gone.slice(0, pins.length - MAX_PINS));
  return pins.filter((pin) => !forgotten.has(pin));
}

function seenFirst(definition: Definition, shown: ShownDefinitions): PinnedDefinition {
  const { pinning, isFirst, isOtherTarget, at } = shown;
  const { kind, name } = definition;
  const digest = digestOf(definition, shown);
  const isAccepted = isFirst || pinning === "off" || (pinning === "new_ok" && !isOtherTarget);
  return isAccepted
    ? { kind, name, digest, approved: definition, seen: undefined, state: "approved", seenAt: at, decidedAt: undefined }
    : { kind, name, digest, approved: undefined, seen: definition, state: "held", seenAt: at, decidedAt: undefined };
}

function digestOf(definition: Definition, { digests }: ShownDefinitions): string {
  return digests?.get(definition) ?? definitionDigest(definition);
}

function seenAgain(pin: PinnedDefinition, definition: Definition, shown: ShownDefinitions): PinnedDefinition {
  const { pinning, at } = shown;
  const digest = digestOf(definition, shown);
  // Without `seen` the digest is that of what is approved.
  const approvedDigest = pin.seen === undefined ? pin.digest : pin.approved && digestOf(pin.approved, shown);
  const isApproved = approvedDigest === digest;
  if (isApproved || pinning === "off") {
    if (pin.state === "approved" && pin.digest === digest) return pin;
    const seenAt = pin.digest === digest ? pin.seenAt : at;
    return {
      ...pin,
      // The same text keeps its object: what is made of it is made once.
      ...{ digest, approved: isApproved ? pin.approved : definition, seen: undefined },
      ...{ state: "approved", seenAt, decidedAt: undefined },
    };
  }
  if (pin.digest === digest) return pin.state === "held" ? pin : { ...pin, state: "held" };
  return { ...pin, digest, seen: definition, state: "held", seenAt: at, decidedAt: undefined };
}

/** What the operator decides about definitions of a server. */
export interface DefinitionDecision {
  readonly approve?: readonly { readonly name: string; readonly digest: string }[];
  /** The held ones of these names. */
  readonly reject?: readonly string[];
}

/** Why a decision is refused as a whole. */
export type DecisionProblem = "mcp.unknown_definition" | "mcp.digest_changed" | "mcp.contradiction";

/** The pins after a decision at `at`, or why nothing of it is done. Deciding the same again changes nothing. */
export function decideDefinitions(
  pins: readonly PinnedDefinition[],
  { approve = [], reject = [] }: DefinitionDecision,
  at: number,
): readonly PinnedDefinition[] | DecisionProblem {
  const rejected = new Set(reject);
  const approved = new Set<PinnedDefinition>();
  for (const { name, digest } of approve) {
    const named = pins.filter((pin) => pin.name === name);
    const pin = named.find((one) => one.digest === digest && one.state !== "gone");
    if (named.length === 0) return "mcp.unknown_definition";
    if (pin === undefined) return "mcp.digest_changed";
    if (rejected.has(name)) return "mcp.contradiction";
    approved.add(pin);
  }
  const names = new Set(pins.map(({ name }) => name));
  if (reject.some((name) => !names.has(name))) return "mcp.unknown_definition";
  return pins.map((pin): PinnedDefinition => {
    if (approved.has(pin) && pin.seen !== undefined)
      return { ...pin, approved: pin.seen, seen: undefined, state: "approved", decidedAt: at };
    return rejected.has(pin.name) && isWaiting(pin) ? { ...pin, decidedAt: at } : pin;
  });
}
