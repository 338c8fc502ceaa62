import * as v from "valibot";
import { cursorOf, flagQuery, integerQuery, pageFields, pageQuery } from "../paging/index.ts";
import { Problem } from "../problem/index.ts";
import { defineRoute, type Frozen, json, type ServedRoute, serve } from "../route/index.ts";
import { chunkChangeBody, chunkSchema, kind, newChunkBody, REVIEWS, reviewBody } from "./schema.ts";

const tag = "Knowledge";
const params = { chunk_id: "The memory's number." } as const;
const failures = { 503: "The store cannot be opened." } as const;
const unknown = { ...failures, 404: "There is no such memory." } as const;
const full = { 409: "There are as many memories, or always-on ones, as there may be." } as const;
const one = json(v.object({ enabled: v.literal(true), id: v.number(), chunk: chunkSchema }));

export const searchKnowledge = defineRoute({
  name: "knowledge.search",
  method: "GET",
  path: "/api/knowledge/search",
  tag,
  summary: "The memories that fit a search best; without one, the newest",
  query: v.object({
    q: v.optional(
      v.pipe(
        v.string(),
        v.maxLength(2_000),
        v.description("Words; nothing in it is an operator. `#17` is the memory of that number."),
      ),
      "",
    ),
    k: integerQuery({ minimum: 1, maximum: 200, fallback: 30, description: "How many." }),
    domain: v.optional(v.pipe(v.string(), v.maxLength(64)), ""),
    memory_kind: v.optional(kind),
    review_state: v.optional(v.pipe(v.picklist(REVIEWS), v.description("`pending`: what waits for a person."))),
    source_id: integerQuery({
      ...{ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, fallback: 0 },
      description: "Of this document alone; 0: of any, or of none.",
    }),
    tier: v.optional(
      v.pipe(v.picklist(["private", "commons"]), v.description("This agent's own alone, or those of the commons.")),
    ),
    include_superseded: flagQuery("Also what was corrected since."),
    mode: v.optional(
      v.pipe(
        v.picklist(["auto", "keyword", "vector"]),
        v.description("`auto`: by words, and by meaning where that is switched on."),
      ),
      "auto",
    ),
    cursor: pageQuery(v.number()).entries.cursor,
  }),
  reply: json(
    v.object({
      enabled: v.literal(true),
      query: v.string(),
      mode: v.pipe(v.picklist(["keyword", "vector", "hybrid"]), v.description("How it was searched.")),
      degraded: v.pipe(v.boolean(), v.description("By meaning it could not be searched, though it was to be.")),
      indexing: v.pipe(v.boolean(), v.description("Some memories are not found by meaning yet.")),
      results: v.array(chunkSchema),
      stats: v.pipe(v.record(v.string(), v.number()), v.description("Accepted memories by domain, and `total`.")),
      pending: v.pipe(v.number(), v.description("How many wait for a person.")),
      ...pageFields,
    }),
  ),
  failures,
});

export const addChunk = defineRoute({
  name: "knowledge.add",
  method: "POST",
  path: "/api/knowledge/chunks",
  tag,
  decides: true,
  summary: "Stores a memory in the operator's words, or replaces the one of its subject",
  body: newChunkBody,
  reply: json(v.object({ enabled: v.literal(true), id: v.number(), ids: v.array(v.number()), chunk: chunkSchema })),
  failures: { ...failures, ...full },
  example: { body: { content: "With oat milk.", subject: "coffee", domain: "preferences" } },
});

export const editChunk = defineRoute({
  name: "knowledge.edit",
  method: "PUT",
  path: "/api/knowledge/chunks/{chunk_id}",
  tag,
  decides: true,
  summary: "Changes a memory, which keeps its number and is the operator's from then on; what is not sent stays",
  params,
  body: chunkChangeBody,
  reply: one,
  failures: { ...unknown, ...full },
});

export const removeChunk = defineRoute({
  name: "knowledge.remove",
  method: "DELETE",
  path: "/api/knowledge/chunks/{chunk_id}",
  tag,
  decides: true,
  summary: "Forgets a memory for good, with every copy that conversations hold of it",
  params,
  query: v.object({
    restorable: flagQuery(
      "Only take it out of every answer: for a day it can be restored, then it is forgotten for good.",
    ),
  }),
  reply: json(v.object({ enabled: v.literal(true), deleted: v.literal(true) })),
  failures: { ...unknown, 409: "It is of the commons." },
});

export const restoreChunk = defineRoute({
  name: "knowledge.restore",
  method: "POST",
  path: "/api/knowledge/chunks/{chunk_id}/restore",
  tag,
  decides: true,
  summary: "Brings back a memory that was removed within the last day, by you or by the agent",
  params,
  reply: one,
  failures: {
    ...unknown,
    409: "It was removed too long ago, another memory stands at its subject, or there are as many always-on ones as there may be.",
  },
});

export const listRemoved = defineRoute({
  name: "knowledge.removed",
  method: "GET",
  path: "/api/knowledge/removed",
  tag,
  summary: "Memories that were removed and can be restored, newest first",
  query: v.object({
    limit: integerQuery({ minimum: 1, maximum: 200, fallback: 50, description: "How many." }),
    cursor: pageQuery(v.number()).entries.cursor,
  }),
  reply: json(v.object({ enabled: v.literal(true), chunks: v.array(chunkSchema), ...pageFields })),
  failures,
});

const commonsFailures = {
  ...unknown,
  409: "Memories are not shared (`knowledge.scope`), or this one cannot be or is not.",
} as const;

export const promoteChunk = defineRoute({
  name: "knowledge.promote",
  method: "POST",
  path: "/api/knowledge/chunks/{chunk_id}/promote",
  tag,
  decides: true,
  summary: "Copies a memory into the commons, which the other agents of this home read",
  description: "It replaces what is there of its subject. Summaries of conversations and attachments are not shared.",
  params,
  reply: json(v.object({ enabled: v.literal(true), promoted: v.literal(true), id: v.number() })),
  failures: commonsFailures,
});

export const withdrawChunk = defineRoute({
  name: "knowledge.withdraw",
  method: "DELETE",
  path: "/api/knowledge/chunks/{chunk_id}/promote",
  tag,
  decides: true,
  summary: "Takes a memory out of the commons, by its own number or that of the copy; the own one stays",
  params,
  reply: json(v.object({ enabled: v.literal(true), promoted: v.literal(false), id: v.number() })),
  failures: commonsFailures,
});

export const reviewChunk = defineRoute({
  name: "knowledge.review",
  method: "POST",
  path: "/api/knowledge/chunks/{chunk_id}/review",
  tag,
  decides: true,
  summary: "Accepts a memory that waits, or rejects it",
  description:
    "An accepted one is the operator's from then on, and replaces what stands at its subject. The words of a rejected one are not stored again. To decide the same again changes nothing.",
  params,
  body: reviewBody,
  reply: one,
  failures: {
    ...unknown,
    409: "It was decided otherwise before, or there are as many always-on memories as there may be.",
  },
  example: { body: { decision: "accept" } },
});

/** A memory. */
export type ChunkRow = Frozen<v.InferInput<typeof chunkSchema>>;

/** What is searched for. */
export type KnowledgeQuery = Omit<v.InferOutput<typeof searchKnowledge.query>, "cursor"> & {
  /** Numbers below this one. */
  readonly before: number | undefined;
};

/** The best first, or the newest where nothing was searched for. */
export interface FoundChunks {
  readonly results: readonly ChunkRow[];
  readonly mode: "keyword" | "vector" | "hybrid";
  readonly degraded: boolean;
  readonly indexing: boolean;
}

/** Implemented by the service. Refuses by throwing `Problem`; nothing changed then. */
export interface KnowledgeService {
  search(query: KnowledgeQuery): Promise<FoundChunks>;
  stats(): Promise<{ readonly domains: { readonly [domain: string]: number }; total: number; pending: number }>;
  add(body: v.InferOutput<typeof newChunkBody>): Promise<ChunkRow>;
  edit(id: number, change: v.InferOutput<typeof chunkChangeBody>): Promise<ChunkRow>;
  remove(id: number): Promise<void>;
  hide(id: number): Promise<void>;
  restore(id: number): Promise<ChunkRow>;
  promote(id: number): Promise<void>;
  withdraw(id: number): Promise<void>;
  /** Newest first, below the number `before`. */
  removed(limit: number, before: number | undefined): Promise<readonly ChunkRow[]>;
  review(id: number, decision: "accept" | "reject"): Promise<ChunkRow>;
}

export function knowledgeRoutes(knowledge: KnowledgeService): readonly ServedRoute[] {
  return [
    serve(searchKnowledge, async ({ query: { cursor, ...query } }) => {
      const isList = query.q.trim() === "";
      const wanted = { ...query, before: cursor, k: isList ? query.k + 1 : query.k };
      const [found, { domains, total, pending }] = await Promise.all([knowledge.search(wanted), knowledge.stats()]);
      const results = found.results.slice(0, query.k);
      return {
        ...{ enabled: true as const, query: query.q, ...found },
        ...{ results, stats: { ...domains, total }, pending },
        next_cursor: cursorOf(found.results.length > query.k ? results.at(-1)?.id : undefined),
      };
    }),
    serve(addChunk, async ({ body }) => {
      const chunk = await knowledge.add(body);
      return { enabled: true as const, id: chunk.id, ids: [chunk.id], chunk };
    }),
    serve(editChunk, async ({ params: { chunk_id }, body }) => {
      const chunk = await knowledge.edit(memoryNumber(chunk_id), body);
      return { enabled: true as const, id: chunk.id, chunk };
    }),
    serve(removeChunk, async ({ params: { chunk_id }, query: { restorable } }) => {
      const id = memoryNumber(chunk_id);
      await (restorable ? knowledge.hide(id) : knowledge.remove(id));
      return { enabled: true as const, deleted: true as const };
    }),
    serve(restoreChunk, async ({ params: { chunk_id } }) => {
      const chunk = await knowledge.restore(memoryNumber(chunk_id));
      return { enabled: true as const, id: chunk.id, chunk };
    }),
    serve(promoteChunk, async ({ params: { chunk_id } }) => {
      const id = memoryNumber(chunk_id);
      await knowledge.promote(id);
      return { enabled: true as const, promoted: true as const, id };
    }),
    serve(withdrawChunk, async ({ params: { chunk_id } }) => {
      const id = memoryNumber(chunk_id);
      await knowledge.withdraw(id);
      return { enabled: true as const, promoted: false as const, id };
    }),
    serve(listRemoved, async ({ query: { limit, cursor } }) => {
      const found = await knowledge.removed(limit + 1, cursor);
      const chunks = found.slice(0, limit);
      const last = found.length > limit ? chunks.at(-1)?.id : undefined;
      return { enabled: true as const, chunks, next_cursor: cursorOf(last) };
    }),
    serve(reviewChunk, async ({ params: { chunk_id }, body: { decision } }) => {
      const chunk = await knowledge.review(memoryNumber(chunk_id), decision);
      return { enabled: true as const, id: chunk.id, chunk };
    }),
  ];
}

/** The number of a memory in a path. @throws Problem 404: no memory has such a number */
export function memoryNumber(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new Problem(404, "There is no such memory; GET /api/knowledge/search lists them.");
}
