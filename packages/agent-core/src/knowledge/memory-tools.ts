/** The agent's side of its memory (K3, K4, K6, K9 to K11). */
import { randomBytes } from "node:crypto";
import { type AnyTool, defineTool, type ToolCaller, type ToolContext } from "@agent-service/plugin-sdk";
import * as v from "valibot";
import {
  type Chunk,
  DELIVERY_POLICIES,
  folded,
  KNOWLEDGE_LIMITS,
  MEMORY_KINDS,
  type MemoryKind,
  REVIEW_STATES,
} from "./chunk.ts";
import type { KnowledgeSearch } from "./knowledge-search.ts";
import type { KnowledgeStore, Remembered } from "./knowledge-store.ts";
import { memoryLines } from "./memory-lines.ts";

export interface MemoryToolsOptions {
  readonly store: Pick<KnowledgeStore, "remember" | "list" | "stats" | "find" | "forget">;
  readonly search: Pick<KnowledgeSearch, "search">;
  /** Whether always-on memory is for the operator alone to write. Asked at each write. */
  readonly confirmsAlwaysOn: () => boolean;
}

type Store = MemoryToolsOptions["store"];

const INCOGNITO = "This conversation keeps no memory.";
const DAY_MS = 86_400_000;

/** What the agent remembers is not for peers (K3). */
const OF_MEMORY = { availableTo: ["lead", "subagents"], content: "own" } as const;

const text = (most: number) => v.pipe(v.string(), v.trim(), v.maxLength(most));
const domain = v.pipe(text(KNOWLEDGE_LIMITS.domain), v.nonEmpty("a domain is a word"));
const anyDomain = v.optional(v.pipe(text(KNOWLEDGE_LIMITS.domain), v.description("Blank: any.")), "");
const anyKind = v.optional(v.picklist(["", ...MEMORY_KINDS]), "");
const anyPolicy = v.optional(v.picklist(["", ...DELIVERY_POLICIES]), "");
const clamped = (least: number, most: number) =>
  v.pipe(
    v.number(),
    v.finite(),
    v.transform((wanted) => Math.min(most, Math.max(least, Math.trunc(wanted)))),
  );

/** `memory_ingest`, `memory_recall`, `memory_list`, `memory_stats`, `forget_memory`. */
export function memoryTools({ store, search, confirmsAlwaysOn }: MemoryToolsOptions): readonly AnyTool[] {
  return [
    memoryIngest(store, confirmsAlwaysOn),
    memoryRecall(search),
    memoryList(store),
    memoryStats(store),
    forgetMemory(store),
  ];
}

function memoryIngest(store: Store, confirmsAlwaysOn: () => boolean): AnyTool {
  return defineTool({
    name: "memory_ingest",
    description:
      "Remember something beyond this conversation: one fact, preference, decision or instruction, in full sentences. With a subject it replaces the memory of the same subject, domain and kind: so correct one.",
    input: v.object({
      content: v.pipe(text(KNOWLEDGE_LIMITS.content), v.nonEmpty("there is nothing to remember")),
      domain: v.optional(v.pipe(domain, v.description("Where it belongs, for example preferences.")), "general"),
      heading: v.optional(text(KNOWLEDGE_LIMITS.heading), ""),
      memory_kind: v.optional(v.picklist(MEMORY_KINDS), "note"),
      subject: v.optional(
        v.pipe(text(KNOWLEDGE_LIMITS.subject), v.description("What it is about, for example coffee.")),
        "",
      ),
      delivery_policy: v.optional(
        v.pipe(v.picklist(DELIVERY_POLICIES), v.description("always: for what every conversation has to know.")),
        "retrieved",
      ),
      expires_in_days: v.optional(
        v.nullable(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(KNOWLEDGE_LIMITS.expiryDays))),
      ),
    }),
    effect: "idempotent",
    ...OF_MEMORY,
    present: { asks: "Remember: {content}?", doing: "Remembering", done: "Remembered[ about {subject}]" },
    async run({ memory_kind: kind, delivery_policy: policy, expires_in_days: days, ...memory }, context) {
      const { caller, callId, contextId, taskId } = context;
      if (caller.incognito) return INCOGNITO;
      const isAlways = policy === "always" || folded(memory.domain) === "hot";
      if (isAlways && confirmsAlwaysOn())
        return "Not stored: always-on memory needs the operator: ask, or store it as retrieved.";
      const stored = await store.remember(
        {
          ...{ ...memory, kind, policy, session: contextId, task: taskId },
          expiresAt: days == null ? undefined : context.now().getTime() + days * DAY_MS,
          trust: caller.tainted ? "outside" : "agent",
          held: whyHeld(caller, kind, isAlways),
        },
        callId,
      );
      return outcomeOf(stored);
    },
  });
}

/** Why a person has to accept a memory first (K4, K8). */
function whyHeld({ tainted, unattended }: ToolCaller, kind: MemoryKind, isAlways: boolean): string | undefined {
  if (tainted && (isAlways || kind === "standing" || kind === "profile"))
    return "this conversation holds content from outside";
  return isAlways && unattended ? "no person follows this turn" : undefined;
}

function outcomeOf({ id, domain, kind, replaces, why }: Remembered): string {
  if (kind === "rejected") return "Not stored: a person has rejected just this before.";
  if (kind === "confirmed") return `It says what ${id} says; ${id} is confirmed.`;
  const stored = `Stored memory ${id} in '${domain}'.`;
  if (kind === "pending") return `${stored} It waits for review: ${why}.`;
  return replaces === undefined ? stored : `${stored} It replaces ${replaces}.`;
}

function memoryRecall(search: MemoryToolsOptions["search"]): AnyTool {
  return defineTool({
    name: "memory_recall",
    description: "Search what was remembered, in this and in earlier conversations, by words.",
    input: v.object({
      query: text(2_000),
      k: v.optional(clamped(1, 20), 5),
      domain: anyDomain,
      memory_kind: anyKind,
      delivery_policy: anyPolicy,
      include_superseded: v.optional(v.pipe(v.boolean(), v.description("Also what was corrected since.")), false),
    }),
    effect: "pure",
    ...OF_MEMORY,
    present: {
      asks: "Search memory for {query}?",
      doing: "Searching memory for {query}",
      done: "Searched memory for {query}",
    },
    async run({ query, k, domain, memory_kind, delivery_policy, include_superseded: includeSuperseded }, context) {
      if (context.caller.incognito) return INCOGNITO;
      const filter = {
        domain,
        kind: memory_kind || undefined,
        policy: delivery_policy || undefined,
        includeSuperseded,
      };
      const { chunks, isDegraded, isIndexing } = await search.search(query, filter, k);
      const notes = [
        ...(isDegraded ? ["Search by meaning is not available now: these were found by their words."] : []),
        ...(isIndexing ? ["Some memories are not found by meaning yet."] : []),
      ];
      return [lines(chunks, false, context), ...notes].join("\n");
    },
  });
}

function memoryList(store: Store): AnyTool {
  return defineTool({
    name: "memory_list",
    description: "List what was remembered, the newest first.",
    input: v.object({
      domain: anyDomain,
      limit: v.optional(clamped(1, 100), 10),
      memory_kind: anyKind,
      delivery_policy: anyPolicy,
      review_state: v.optional(
        v.pipe(v.picklist(["", ...REVIEW_STATES]), v.description("pending: what waits for a person. Blank: accepted.")),
        "",
      ),
    }),
    effect: "pure",
    ...OF_MEMORY,
    present: { asks: "List memory?", doing: "Reading memory", done: "Read memory" },
    async run({ domain, limit, memory_kind, delivery_policy, review_state }, context) {
      if (context.caller.incognito) return INCOGNITO;
      const filter = {
        ...{ domain, kind: memory_kind || undefined, policy: delivery_policy || undefined },
        review: review_state || undefined,
      };
      return lines(await store.list(filter, limit), true, context);
    },
  });
}

function memoryStats(store: Store): AnyTool {
  return defineTool({
    name: "memory_stats",
    description: "Count what is remembered, by domain, and what waits for review.",
    input: v.object({}),
    deferred: true,
    effect: "pure",
    ...OF_MEMORY,
    present: { asks: "Count memory?", doing: "Counting memory", done: "Counted memory" },
    run: async (_, { caller }) => (caller.incognito ? INCOGNITO : store.stats()),
  });
}

function forgetMemory(store: Store): AnyTool {
  /** Undefined: there is none, or this caller is not to know. */
  const known = async (id: number, { caller }: ToolContext): Promise<Chunk | undefined> =>
    caller.incognito ? undefined : store.find(id);
  return defineTool({
    name: "forget_memory",
    description: "Forget one memory, by its number. To correct one, store the right one under its subject instead.",
    input: v.object({
      chunk_id: v.pipe(v.number(), v.integer(), v.minValue(1), v.description("The number behind #.")),
      reason: v.optional(text(KNOWLEDGE_LIMITS.reason), ""),
    }),
    effect: "idempotent",
    ...OF_MEMORY,
    present: {
      asks: "Forget memory {chunk_id}?",
      doing: "Forgetting memory {chunk_id}",
      done: "Forgot memory {chunk_id}",
    },
    async approval({ chunk_id }, context) {
      const chunk = await known(chunk_id, context);
      if (chunk === undefined || (chunk.trust !== "operator" && chunk.source === undefined)) return undefined;
      return {
        title: `Forget memory ${chunk_id}?`,
        detail: `${chunk.trust === "operator" ? "You wrote" : "A document says"}: ${chunk.content.slice(0, 1_000).toWellFormed()}`,
      };
    },
    async run({ chunk_id, reason }, { caller, callId }) {
      if (caller.incognito) return INCOGNITO;
      await store.forget(chunk_id, reason, callId);
      return `Forgot memory ${chunk_id}.`;
    },
  });
}

function lines(chunks: readonly Chunk[], whole: boolean, context: Pick<ToolContext, "fromOutside">): string {
  if (chunks.some(({ trust }) => trust === "outside")) context.fromOutside();
  return chunks.length === 0 ? "No matches." : memoryLines(chunks, { mark: randomBytes(6).toString("hex"), whole });
}
