import * as v from "valibot";
import { type ChunkRow, chunkSchema, contentText, memoryNumber, shortText } from "../knowledge/index.ts";
import { cursorOf, integerQuery, pageFields, pageQuery } from "../paging/index.ts";
import { Problem } from "../problem/index.ts";
import { defineRoute, type Frozen, json, type ServedRoute, serve } from "../route/index.ts";

const tag = "Memory";
const failures = { 503: "The store cannot be opened." } as const;
const params = { chunk_id: "The memory's number." } as const;
const unknown = {
  ...failures,
  404: "There is no such always-on memory.",
  409: "It is of the commons.",
} as const;

const counts = v.object({
  chunks: v.pipe(v.number(), v.description("Memories.")),
  frames: v.pipe(
    v.number(),
    v.description("What turns were shown of them: recalled parts, and results of memory tools."),
  ),
  summaries: v.pipe(v.number(), v.description("Of the conversation, and of long conversations that had their words.")),
  sources: v.pipe(v.number(), v.description("Documents.")),
  attachments: v.pipe(v.number(), v.description("Documents that were attached to the conversation.")),
  vectors: v.number(),
});
const scope = v.picklist(["chunks", "source", "session", "subject", "expired"]);

const forgetBody = v.object({
  chunk_ids: v.optional(
    v.pipe(v.array(v.pipe(v.number(), v.integer(), v.minValue(1))), v.minLength(1), v.maxLength(1_000)),
  ),
  source_id: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.description("A document."))),
  session_id: v.optional(
    v.pipe(v.string(), v.minLength(1), v.maxLength(256), v.description("What its turns stored and ingested.")),
  ),
  subject: v.optional(v.pipe(v.string(), v.maxLength(200), v.regex(/\S/, "a subject is a word"))),
  dry_run: v.optional(v.pipe(v.boolean(), v.description("Counts, and changes nothing."))),
  texts: v.optional(
    v.pipe(
      v.boolean(),
      v.description("With `dry_run`: also what would be forgotten, and where, to verify it afterwards."),
    ),
  ),
});

export const forgetMemory = defineRoute({
  name: "memory.forget",
  method: "POST",
  path: "/api/memory/forget",
  tag,
  decides: true,
  summary: "Forgets memories for good, with every copy that conversations hold of them",
  description:
    "One of `chunk_ids`, `source_id`, `session_id` and `subject`. It answers when no byte of the text is left in memory, in what turns recalled, in results of memory tools, in prompt snapshots and in summaries of long conversations; `[forgotten]` stands there.",
  body: forgetBody,
  reply: json(
    v.object({
      enabled: v.literal(true),
      receipt_id: v.pipe(v.nullable(v.number()), v.description("Null: of a dry run, or there was nothing.")),
      counts,
      kept: v.pipe(v.array(v.string()), v.description("What stays, for people.")),
      texts: v.pipe(
        v.optional(v.array(v.string())),
        v.description("Where they are asked for: the texts of at most 1,000 memories."),
      ),
      places: v.pipe(
        v.optional(v.array(v.string())),
        v.description("Where they are asked for: files and folders of memory on the service's machine."),
      ),
    }),
  ),
  failures: { ...failures, 400: "None of them is given, or several." },
  example: { body: { subject: "coffee", dry_run: true } },
});

export const listReceipts = defineRoute({
  name: "memory.receipts",
  method: "GET",
  path: "/api/memory/receipts",
  tag,
  summary: "What was forgotten, newest first; without a word of it",
  query: v.object({
    limit: integerQuery({ minimum: 1, maximum: 200, fallback: 50, description: "How many." }),
    cursor: pageQuery(v.number()).entries.cursor,
  }),
  reply: json(
    v.object({
      enabled: v.literal(true),
      receipts: v.array(
        v.object({
          id: v.number(),
          scope,
          counts,
          begun_at: v.string(),
          at: v.pipe(v.string(), v.description("When it was done.")),
        }),
      ),
      ...pageFields,
    }),
  ),
  failures,
});

export const listHot = defineRoute({
  name: "memory.hot",
  method: "GET",
  path: "/api/memory/hot",
  tag,
  summary: "Always-on memories, which every conversation is shown, newest first",
  query: v.object({
    limit: integerQuery({ minimum: 1, maximum: 200, fallback: 100, description: "How many." }),
    cursor: pageQuery(v.number()).entries.cursor,
  }),
  reply: json(v.object({ enabled: v.literal(true), chunks: v.array(chunkSchema), ...pageFields })),
  failures,
});

export const editHot = defineRoute({
  name: "memory.editHot",
  method: "PUT",
  path: "/api/memory/hot/{chunk_id}",
  tag,
  decides: true,
  summary: "Changes an always-on memory, which keeps its number and its domain and stays always-on",
  params,
  body: v.object({ content: contentText, heading: v.optional(shortText), subject: v.optional(shortText) }),
  reply: json(v.object({ enabled: v.literal(true), id: v.number(), chunk: chunkSchema })),
  failures: unknown,
});

export const removeHot = defineRoute({
  name: "memory.removeHot",
  method: "DELETE",
  path: "/api/memory/hot/{chunk_id}",
  tag,
  decides: true,
  summary: "Forgets an always-on memory for good, with every copy that conversations hold of it",
  params,
  reply: json(v.object({ enabled: v.literal(true), deleted: v.literal(true) })),
  failures: unknown,
});

/** What is to be forgotten. */
export type ForgetWhich =
  | { readonly kind: "chunks"; readonly ids: readonly number[] }
  | { readonly kind: "source"; readonly source: number }
  | { readonly kind: "session"; readonly session: string }
  | { readonly kind: "subject"; readonly subject: string };

type Counts = Frozen<v.InferOutput<typeof counts>>;

/** A forgetting that is done; times in ISO 8601. */
export interface MemoryReceipt {
  readonly id: number;
  readonly scope: v.InferOutput<typeof scope>;
  readonly counts: Counts;
  readonly begun_at: string;
  readonly at: string;
}

/** Implemented by the service. Refuses by throwing `Problem`; nothing changed then. */
export interface MemoryInspectorService {
  forget(
    which: ForgetWhich,
    dryRun: boolean,
  ): Promise<{ readonly receipt_id: number | null; readonly counts: Counts; readonly kept: readonly string[] }>;
  /** What would be forgotten, and in which files and folders it is. */
  texts(which: ForgetWhich): Promise<{ readonly texts: readonly string[]; readonly places: readonly string[] }>;
  /** Newest first, below the number `before`. */
  receipts(limit: number, before: number | undefined): Promise<readonly MemoryReceipt[]>;
  hot(limit: number, before: number | undefined): Promise<readonly ChunkRow[]>;
  editHot(id: number, change: v.InferOutput<typeof editHot.body>): Promise<ChunkRow>;
  removeHot(id: number): Promise<void>;
}

export function memoryRoutes(memory: MemoryInspectorService): readonly ServedRoute[] {
  return [
    serve(forgetMemory, async ({ body: { dry_run = false, texts = false, ...named } }) => {
      if (texts && !dry_run) throw new Problem(400, "Send texts with dry_run: afterwards there are none.");
      const which = whichOf(named);
      const { receipt_id, counts: forgotten, kept } = await memory.forget(which, dry_run);
      const found = texts ? await memory.texts(which) : undefined;
      return {
        ...{ enabled: true as const, receipt_id, counts: forgotten, kept: [...kept] },
        ...(found !== undefined && { texts: [...found.texts], places: [...found.places] }),
      };
    }),
    serve(listReceipts, async ({ query: { limit, cursor } }) => {
      const found = await memory.receipts(limit + 1, cursor);
      const receipts = found.slice(0, limit);
      return {
        enabled: true as const,
        receipts,
        next_cursor: cursorOf(found.length > limit ? receipts.at(-1)?.id : undefined),
      };
    }),
    serve(listHot, async ({ query: { limit, cursor } }) => {
      const found = await memory.hot(limit + 1, cursor);
      const chunks = found.slice(0, limit);
      return {
        enabled: true as const,
        chunks,
        next_cursor: cursorOf(found.length > limit ? chunks.at(-1)?.id : undefined),
      };
    }),
    serve(editHot, async ({ params: { chunk_id }, body }) => {
      const chunk = await memory.editHot(memoryNumber(chunk_id), body);
      return { enabled: true as const, id: chunk.id, chunk };
    }),
    serve(removeHot, async ({ params: { chunk_id } }) => {
      await memory.removeHot(memoryNumber(chunk_id));
      return { enabled: true as const, deleted: true as const };
    }),
  ];
}

/** @throws Problem 400 */
function whichOf({
  chunk_ids,
  source_id,
  session_id,
  subject,
}: Omit<v.InferOutput<typeof forgetBody>, "dry_run" | "texts">): ForgetWhich {
  const given: ForgetWhich[] = [
    ...(chunk_ids === undefined ? [] : [{ kind: "chunks" as const, ids: chunk_ids }]),
    ...(source_id === undefined ? [] : [{ kind: "source" as const, source: source_id }]),
    ...(session_id === undefined ? [] : [{ kind: "session" as const, session: session_id }]),
    ...(subject === undefined ? [] : [{ kind: "subject" as const, subject }]),
  ];
  const [which] = given;
  if (which === undefined || given.length > 1)
    throw new Problem(400, "Give one of chunk_ids, source_id, session_id and subject.");
  return which;
}
