import * as v from "valibot";
import { cursorOf, pageFields, pageQuery } from "../paging/index.ts";
import { defineRoute, type Frozen, json, type ServedRoute, serve } from "../route/index.ts";

const tag = "Memory";
const params = { session_id: "The conversation's id." } as const;
const unknown = { 400: "This cannot be the id of a conversation.", 404: "There is no summary of it." } as const;

const summary = v.object({
  session_id: v.string(),
  timestamp: v.pipe(v.string(), v.description("When its last turn ended.")),
  surface: v.picklist(["chat", "a2a/other", "activity", "palette", "background"]),
  topic: v.pipe(v.string(), v.description("How its first message begins.")),
  message_count: v.pipe(v.number(), v.description("Messages that the summary holds: the newest, up to 64 KiB.")),
  size_bytes: v.number(),
  in_digest: v.pipe(v.boolean(), v.description("A new conversation would be shown a line of it.")),
});
const position = v.object({ at: v.number(), no: v.number() });

export const listSessionSummaries = defineRoute({
  name: "memory.sessions",
  method: "GET",
  path: "/api/memory/sessions",
  tag,
  summary: "Summaries of conversations, newest first",
  query: pageQuery(position),
  reply: json(v.object({ sessions: v.array(summary), ...pageFields })),
});

export const readSessionSummary = defineRoute({
  name: "memory.session",
  method: "GET",
  path: "/api/memory/sessions/{session_id}",
  tag,
  summary: "What is kept of a conversation for later ones",
  params,
  reply: json(
    v.object({
      session: v.object({
        ...summary.entries,
        trace_id: v.pipe(v.nullable(v.string()), v.description("Of its last turn; null: it is in no trace.")),
        rendered: v.pipe(v.string(), v.description("The summary as Markdown.")),
      }),
    }),
  ),
  failures: { ...unknown, 422: "Its file is damaged." },
});

export const removeSessionSummary = defineRoute({
  name: "memory.removeSession",
  method: "DELETE",
  path: "/api/memory/sessions/{session_id}",
  tag,
  decides: true,
  summary: "Deletes the summary of a conversation, which stays; its next turn writes another",
  params,
  reply: json(v.object({ deleted: v.literal(true), session_id: v.string() })),
  failures: unknown,
});

export const harvestSession = defineRoute({
  name: "memory.harvest",
  method: "POST",
  path: "/api/memory/sessions/{session_id}/harvest",
  tag,
  decides: true,
  summary: "Extracts memories from a conversation now",
  description:
    "A model is asked for a summary and facts of what was said since the last time; also where that failed three times before.",
  params,
  reply: json(
    v.object({
      harvested: v.pipe(v.boolean(), v.description("False: nothing was said since, or memory is off.")),
    }),
  ),
  failures: {
    400: unknown[400],
    404: "There is no such conversation.",
    502: "The model failed, or its answer could not be read.",
  },
});

export const readHarvesting = defineRoute({
  name: "memory.harvesting",
  method: "GET",
  path: "/api/memory/harvesting",
  tag,
  summary: "Whether the operator has to choose a model before memories are extracted from conversations that rest",
  reply: json(
    v.object({
      offer: v.pipe(
        v.nullable(
          v.object({
            model: v.pipe(v.string(), v.description("The lead: what `knowledge.harvest_model` would be.")),
            cost_usd: v.pipe(
              v.nullable(v.number()),
              v.description("What one conversation costs at most, estimated; null: the price is not known."),
            ),
          }),
        ),
        v.description("Null: a model was chosen, the lead costs nothing, or none are extracted because they rest."),
      ),
    }),
  ),
});

type SummaryRow = Frozen<v.InferOutput<typeof summary>>;
type Position = v.InferOutput<typeof position>;

/** Implemented by the service. Refuses by throwing `Problem`; nothing changed then. */
export interface SessionMemoryService {
  /** Newest first, each with where a page that ends with it goes on. */
  list(limit: number, after: Position | undefined): Promise<readonly (SummaryRow & { readonly cursor: Position })[]>;
  read(session: string): Promise<SummaryRow & { readonly trace_id: string | null; readonly rendered: string }>;
  remove(session: string): Promise<void>;
  harvest(session: string): Promise<boolean>;
  /** What extracting by itself would cost, where that is to be chosen. */
  harvesting(): { readonly model: string; readonly cost_usd: number | null } | undefined;
}

export function sessionMemoryRoutes(memory: SessionMemoryService): readonly ServedRoute[] {
  return [
    serve(listSessionSummaries, async ({ query: { limit, cursor } }) => {
      const found = await memory.list(limit + 1, cursor);
      const page = found.slice(0, limit);
      return {
        sessions: page.map(({ cursor: _, ...row }) => row),
        next_cursor: cursorOf(found.length > limit ? page.at(-1)?.cursor : undefined),
      };
    }),
    serve(readSessionSummary, async ({ params: { session_id } }) => ({ session: await memory.read(session_id) })),
    serve(readHarvesting, () => ({ offer: memory.harvesting() ?? null })),
    serve(harvestSession, async ({ params: { session_id } }) => ({ harvested: await memory.harvest(session_id) })),
    serve(removeSessionSummary, async ({ params: { session_id } }) => {
      await memory.remove(session_id);
      return { deleted: true as const, session_id };
    }),
  ];
}
