import * as v from "valibot";
import { memoryNumber } from "../knowledge/index.ts";
import { cursorOf, pageFields, pageQuery } from "../paging/index.ts";
import { defineRoute, type Frozen, json, notBlank, type ServedRoute, serve } from "../route/index.ts";

const tag = "Memory";

const shown = v.object({
  digest_session_ids: v.pipe(v.array(v.string()), v.description("Earlier conversations that a line was shown of.")),
  hot_chunk_ids: v.pipe(v.array(v.number()), v.description("Always-on memories that were shown.")),
  rag_chunk_ids: v.pipe(v.array(v.number()), v.description("Memories that were shown because they fit.")),
  approx_tokens: v.number(),
  mode: v.pipe(
    v.picklist(["hybrid", "keyword", "none"]),
    v.description("How it was searched: `hybrid` by words and by meaning."),
  ),
  degraded: v.pipe(v.boolean(), v.description("It was not possible by meaning, which is switched on.")),
  late: v.pipe(v.boolean(), v.description("Something was not there in time, and was left out.")),
  ms: v.number(),
  items: v.array(
    v.object({
      chunk_id: v.number(),
      revision: v.number(),
      kind: v.picklist(["always", "hit"]),
      trust: v.string(),
      score: v.pipe(v.nullable(v.number()), v.description("By which the hits were ordered; null: always on.")),
      keyword_rank: v.pipe(v.nullable(v.number()), v.description("Its place among those found by words.")),
      vector_rank: v.pipe(v.nullable(v.number()), v.description("Its place among those found by meaning.")),
      words: v.pipe(v.nullable(v.number()), v.description("Words of the message that it has.")),
    }),
  ),
  left_out: v.array(
    v.object({ chunk_id: v.number(), reason: v.picklist(["in_sight", "floor", "budget", "duplicate"]) }),
  ),
});

const injection = v.object({
  id: v.string(),
  ts: v.string(),
  session_id: v.string(),
  task_id: v.string(),
  step: v.pipe(v.number(), v.description("The model call before which it was recalled.")),
  in_sight: v.pipe(
    v.array(v.object({ chunk_id: v.number(), revision: v.number() })),
    v.description("Memories that earlier parts of the conversation still showed."),
  ),
  ...shown.entries,
});
const position = v.object({ at: v.number(), task: v.string(), seq: v.number() });

export const listInjections = defineRoute({
  name: "memory.injections",
  method: "GET",
  path: "/api/memory/injections",
  tag,
  summary: "What was recalled before model calls, why, and what was left out; newest first",
  query: v.object({
    ...pageQuery(position, { defaultLimit: 50, maxLimit: 500 }).entries,
    session_id: v.optional(v.pipe(v.string(), v.maxLength(256), v.description("Of this conversation alone."))),
  }),
  reply: json(v.object({ injections: v.array(injection), ...pageFields })),
});

export const previewRecall = defineRoute({
  name: "memory.preview",
  method: "POST",
  path: "/api/memory/preview",
  tag,
  summary: "What a message would be shown of memory; nothing is stored",
  body: v.object({
    message: notBlank(32_768, "A message has text."),
    session_id: v.optional(
      v.pipe(v.string(), v.minLength(1), v.maxLength(256), v.description("Absent: in a new conversation.")),
    ),
  }),
  reply: json(
    v.object({
      preview: v.pipe(
        v.nullable(
          v.object({ ...shown.entries, text: v.pipe(v.string(), v.description("As the model would read it.")) }),
        ),
        v.description("Null: nothing is remembered that could be shown."),
      ),
    }),
  ),
  example: { body: { message: "Which coffee do I like?" } },
});

const use = v.object({
  task_id: v.string(),
  session_id: v.string(),
  at: v.string(),
  how: v.pipe(
    v.picklist(["shown", "in_sight", "read"]),
    v.description(
      "`shown`: it was put before the model; `in_sight`: an earlier part of the conversation still showed it; `read`: a memory tool answered it.",
    ),
  ),
  revision: v.pipe(v.nullable(v.number()), v.description("Null: what a tool answers does not say.")),
  effects: v.pipe(v.array(v.string()), v.description("Tools with an effect that the turn called from then on.")),
});
const usePosition = v.object({ at: v.number(), task: v.string(), seq: v.number() });

export const listUses = defineRoute({
  name: "memory.uses",
  method: "GET",
  path: "/api/knowledge/chunks/{chunk_id}/uses",
  tag,
  summary: "Which turns saw a memory, and what they did then; newest first",
  description: "Also of a memory that was forgotten since: the records hold its number and no word of it.",
  params: { chunk_id: "The memory's number." },
  query: pageQuery(usePosition, { defaultLimit: 50, maxLimit: 500 }),
  reply: json(v.object({ enabled: v.literal(true), uses: v.array(use), ...pageFields })),
  failures: { 404: "There is no such memory, and no turn saw one of this number." },
});

type UseRow = Frozen<v.InferOutput<typeof use>>;
type UsePosition = v.InferOutput<typeof usePosition>;

type InjectionRow = Frozen<v.InferOutput<typeof injection>>;
type Position = v.InferOutput<typeof position>;
type Preview = Frozen<v.InferOutput<typeof shown>> & { readonly text: string };

/** Implemented by the service. */
export interface InjectionService {
  list(page: {
    readonly session: string | undefined;
    readonly limit: number;
    readonly before: Position | undefined;
  }): Promise<readonly { readonly row: InjectionRow; readonly position: Position }[]>;
  preview(message: string, session: string | undefined): Promise<Preview | undefined>;
  /** `next`: where the next page begins. */
  uses(
    chunk: number,
    page: { readonly limit: number; readonly before: UsePosition | undefined },
  ): Promise<{ readonly uses: readonly UseRow[]; readonly next: UsePosition | undefined }>;
}

export function injectionRoutes(memory: InjectionService): readonly ServedRoute[] {
  return [
    serve(listInjections, async ({ query: { limit, cursor, session_id: session } }) => {
      const found = await memory.list({ session, limit, before: cursor });
      const last = found.length < limit ? undefined : found.at(-1)?.position;
      return { injections: found.map(({ row }) => row), next_cursor: cursorOf(last) };
    }),
    serve(listUses, async ({ params: { chunk_id }, query: { limit, cursor } }) => {
      const { uses, next } = await memory.uses(memoryNumber(chunk_id), { limit, before: cursor });
      return { enabled: true as const, uses: [...uses], next_cursor: cursorOf(next) };
    }),
    serve(previewRecall, async ({ body: { message, session_id: session } }) => ({
      preview: (await memory.preview(message, session)) ?? null,
    })),
  ];
}
