/** Memories taken out of a store as lines, and brought into one (K21). */
import { createHash } from "node:crypto";
import { type Database, namedStatement } from "../database/index.ts";
import {
  type Chunk,
  DELIVERY_POLICIES,
  type DeliveryPolicy,
  folded,
  KNOWLEDGE_LIMITS,
  MEMORY_KINDS,
  type MemoryKind,
  type NewMemory,
  TRUSTS,
  type Trust,
} from "./chunk.ts";
import { COLUMNS, chunkOf, LIVE } from "./chunk-statements.ts";
import type { KnowledgeStore, Remembered } from "./knowledge-store.ts";
import { spaced } from "./rejected-words.ts";

/** Memories that are read at a time. */
const PAGE = 200;
/** Lines that were not taken are named up to this many. */
const MOST_NAMED = 100;
/** Characters of a line. */
const MOST_OF_LINE = 64_000;

const page = namedStatement(
  `SELECT ${COLUMNS} FROM chunk WHERE chunk.id > :after AND ${LIVE} AND review = 'accepted' AND invalidated_at IS NULL
     AND (:domain = '' OR domain = :domain) ORDER BY chunk.id LIMIT ${PAGE}`,
);

/** What became of the lines of an import. */
export interface Imported {
  readonly added: number;
  /** Those that were there, or came twice. */
  readonly known: number;
  /** Lines, from 1, that are no memories. */
  readonly refused: readonly { readonly line: number; readonly why: string }[];
}

export interface TransferOptions {
  readonly store: KnowledgeStore;
  readonly get: () => Promise<Database>;
  /** Whether the store has been made: reading makes none. */
  readonly exists: () => boolean;
  readonly now: () => number;
  readonly newId: () => string;
}

/** Takes memories out and brings them in. */
export class Transfer {
  readonly #options: TransferOptions;

  constructor(options: TransferOptions) {
    this.#options = options;
  }

  /** What is accepted and stands, the oldest first; blank: of every domain. @throws DatabaseError */
  async *all(domain: string): AsyncGenerator<Chunk> {
    const { get, now, exists } = this.#options;
    if (!exists()) return;
    const db = await get();
    for (let after = 0; ; ) {
      const rows = await db.read(page.bind({ after, domain: folded(domain), now: now() }), "long");
      for (const chunk of rows.map(chunkOf)) {
        after = chunk.id;
        yield chunk;
      }
      if (rows.length < PAGE) return;
    }
  }

  /**
   * Stores what lines of JSON say, once per text and domain. A line that is no memory is named, and the others are stored.
   * @throws KnowledgeError full, too_many_always_on: what was stored until then stays @throws DatabaseError
   */
  async bring(bytes: Uint8Array, signal: AbortSignal): Promise<Imported> {
    const known = new Set<string>();
    for await (const { domain, content } of this.all("")) known.add(keyOf(domain, content));
    let [added, repeated, number] = [0, 0, 0];
    const refused: { line: number; why: string }[] = [];
    for (const line of linesOf(bytes)) {
      signal.throwIfAborted();
      number++;
      if (line.trim() === "") continue;
      const memory = memoryOf(line);
      if (typeof memory === "string") {
        if (refused.length < MOST_NAMED) refused.push({ line: number, why: memory });
        continue;
      }
      const key = keyOf(folded(memory.domain), memory.content);
      const kind = known.has(key) ? "confirmed" : await this.#store(memory);
      known.add(key);
      if (kind === "confirmed") repeated++;
      else if (kind !== "rejected") added++;
      else if (refused.length < MOST_NAMED) refused.push({ line: number, why: "a person rejected it before" });
    }
    return { added, known: repeated, refused };
  }

  async #store(memory: NewMemory): Promise<Remembered["kind"]> {
    const { store, newId } = this.#options;
    return (await store.remember(memory, `import:${newId()}`)).kind;
  }
}

function keyOf(domain: string, content: string): string {
  return createHash("sha256")
    .update(`${domain}\0${spaced(content)}`)
    .digest("base64url");
}

function* linesOf(bytes: Uint8Array): Generator<string> {
  const decoder = new TextDecoder();
  for (let start = 0; start < bytes.length; ) {
    const found = bytes.indexOf(10, start);
    const end = found < 0 ? bytes.length : found;
    // A longer one is no memory, and is not read.
    yield decoder.decode(bytes.subarray(start, Math.min(end, start + MOST_OF_LINE)));
    start = end + 1;
  }
}

/** The memory that a line describes, or why it is none. */
function memoryOf(line: string): NewMemory | string {
  let said: unknown;
  try {
    said = JSON.parse(line);
  } catch {
    return "no JSON";
  }
  if (typeof said !== "object" || said === null || Array.isArray(said)) return "no object";
  const text = (name: string, most: number, absent = ""): string | undefined => {
    const value = (said as { readonly [key: string]: unknown })[name] ?? absent;
    return typeof value === "string" && value.length <= most ? value : undefined;
  };
  const { content: mostContent, domain: mostDomain, heading: mostHeading, subject: mostSubject } = KNOWLEDGE_LIMITS;
  const content = text("content", mostContent);
  const domain = text("domain", mostDomain, "general");
  const heading = text("heading", mostHeading);
  const subject = text("subject", mostSubject);
  const kind = text("memory_kind", 20, "note") as MemoryKind;
  const policy = text("delivery_policy", 20, "retrieved") as DeliveryPolicy;
  const trust = text("trust", 20, "operator") as Trust;
  const expires = text("expires_at", 40);
  const expiresAt = expires === "" ? undefined : Date.parse(expires ?? "");
  if (content === undefined || content.trim() === "") return `content has 1 to ${mostContent} characters`;
  if (domain === undefined || domain.trim() === "") return `domain has 1 to ${mostDomain} characters`;
  if (heading === undefined || subject === undefined) return "heading and subject are texts of at most 200 characters";
  if (!MEMORY_KINDS.includes(kind)) return "an unknown memory_kind";
  if (!DELIVERY_POLICIES.includes(policy)) return "an unknown delivery_policy";
  if (!TRUSTS.includes(trust)) return "an unknown trust";
  if (Number.isNaN(expiresAt)) return "expires_at is no time";
  return { content, domain, heading, subject, kind, policy, trust, expiresAt, held: undefined, session: "", task: "" };
}
