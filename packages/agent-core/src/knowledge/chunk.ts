/** Memories: the chunks of the knowledge store (K5). */

export const MEMORY_KINDS = ["profile", "standing", "fact", "decision", "note", "episode", "reference"] as const;
export type MemoryKind = (typeof MEMORY_KINDS)[number];

/** `always`: in every turn's sight; `retrieved`: where it is found for a turn; `on_demand`: only where it is asked for. */
export const DELIVERY_POLICIES = ["always", "retrieved", "on_demand"] as const;
export type DeliveryPolicy = (typeof DELIVERY_POLICIES)[number];

export const REVIEW_STATES = ["accepted", "pending", "rejected"] as const;
export type ReviewState = (typeof REVIEW_STATES)[number];

/** Whose words a chunk holds, the least trusted first. */
export const TRUSTS = ["outside", "agent", "operator"] as const;
export type Trust = (typeof TRUSTS)[number];

/** The namespace of what the agents of a home share. */
export const COMMONS = "commons";

/** Bounds: of a chunk in characters, of an expiry in days, of the store in chunks (EN10). */
export const KNOWLEDGE_LIMITS = Object.freeze({
  content: 8_000,
  subject: 200,
  heading: 200,
  domain: 64,
  reason: 500,
  expiryDays: 3_650,
  always: 500,
  chunks: 500_000,
});

/** A chunk. Times are epoch milliseconds. */
export interface Chunk {
  /** Never given twice. */
  readonly id: number;
  /** Grows with each edit. */
  readonly revision: number;
  readonly domain: string;
  readonly kind: MemoryKind;
  readonly subject: string;
  readonly heading: string;
  readonly content: string;
  readonly policy: DeliveryPolicy;
  readonly trust: Trust;
  readonly review: ReviewState;
  /** Why a person has to accept it first; blank: none has to. */
  readonly waitsBecause: string;
  /** The operator's memory that it contradicts, where it waits for that. */
  readonly contradicts: number | undefined;
  /** The conversation it was written in; blank for none. */
  readonly session: string;
  /** The turn it was written in; blank for none. */
  readonly task: string;
  readonly createdAt: number;
  /** When it was last said. */
  readonly confirmedAt: number;
  readonly expiresAt: number | undefined;
  /** Since when another one holds in its place. */
  readonly invalidatedAt: number | undefined;
  /** Undefined: nothing has replaced it. */
  readonly supersededBy: number | undefined;
  /** Blank: it is this agent's. `commons`: it is shared. Else it is attached to a conversation. */
  readonly namespace: string;
  /** The document it is a part of; undefined: of none. */
  readonly source: { readonly id: number; readonly title: string; readonly type: string } | undefined;
}

/** What is to be remembered. */
export interface NewMemory {
  readonly content: string;
  /** `hot` implies the policy `always`. */
  readonly domain: string;
  readonly kind: MemoryKind;
  readonly subject: string;
  readonly heading: string;
  readonly policy: DeliveryPolicy;
  readonly expiresAt: number | undefined;
  readonly trust: Trust;
  /** Why a person has to accept it first; undefined: no one has to. */
  readonly held: string | undefined;
  readonly session: string;
  readonly task: string;
}

/** Which chunks; blank members stand for any. */
export interface ChunkFilter {
  readonly domain?: string | undefined;
  readonly kind?: MemoryKind | undefined;
  readonly policy?: DeliveryPolicy | undefined;
  readonly review?: ReviewState | undefined;
  /** The document they are of. */
  readonly source?: number | undefined;
  readonly tier?: "private" | "commons" | undefined;
  /** Also those that another one has replaced. Default false. */
  readonly includeSuperseded?: boolean | undefined;
}

/** How many chunks there are. */
export interface KnowledgeStats {
  /** Accepted chunks by domain. */
  readonly domains: { readonly [domain: string]: number };
  readonly total: number;
  readonly pending: number;
}

/** A text as names are compared: NFKC, lower case, single spaces. */
export function folded(text: string): string {
  return text.normalize("NFKC").toLowerCase().replaceAll(/\s+/gu, " ").trim();
}

/** By what a memory is found again when it is corrected: its subject, else its heading; blank: by nothing. */
export function subjectKey({ subject, heading }: Pick<NewMemory, "subject" | "heading">): string {
  return folded(subject) || folded(heading);
}
