import * as v from "valibot";
import { cursorOf, flagQuery, pageFields, pageQuery } from "../paging/index.ts";
import { Problem } from "../problem/index.ts";
import { Accepted, defineRoute, type Frozen, json, type ServedRoute, serve, type Upload } from "../route/index.ts";
import { domain } from "./schema.ts";

const tag = "Knowledge sources";
const MAX_FILE = 32 * 1024 * 1024;
const failures = { 503: "The store cannot be opened." } as const;
const unknown = { ...failures, 404: "There is no such source." } as const;

/** A document that is or was read (K22). */
const sourceSchema = v.object({
  id: v.pipe(v.number(), v.description("Never given twice.")),
  state: v.pipe(
    v.picklist(["queued", "reading", "ready", "failed", "removed"]),
    v.description("Its memories are found while it is `ready` alone."),
  ),
  title: v.string(),
  name: v.pipe(v.string(), v.description("Of its file; it names no file of the service.")),
  source: v.pipe(v.string(), v.description("Its address or place; blank: it was handed over.")),
  source_type: v.pipe(v.string(), v.description("What it is; blank until it was read.")),
  domain: v.string(),
  bytes: v.number(),
  chars: v.number(),
  total: v.pipe(v.number(), v.description("Its memories; 0 until it was read.")),
  done: v.pipe(v.number(), v.description("Those that are stored.")),
  error: v.pipe(v.nullable(v.string()), v.description("Why it failed.")),
  created_at: v.string(),
  removed_at: v.nullable(v.string()),
});

const ingested = v.object({
  enabled: v.literal(true),
  source_id: v.number(),
  ids: v.pipe(v.array(v.number()), v.description("Its memories.")),
  chunks: v.number(),
  title: v.string(),
  source_type: v.string(),
  chars: v.number(),
});

const ingestBody = v.object({
  url: v.optional(v.pipe(v.string(), v.maxLength(8_192), v.description("A public address, http or https."))),
  text: v.optional(
    v.pipe(v.string(), v.maxLength(1_000_000), v.description("Text or Markdown; send a longer one as a file.")),
  ),
  title: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(200), v.description("Default: the document's own."))),
  domain: v.optional(domain),
});

export const ingestDocument = defineRoute({
  name: "knowledge.ingest",
  method: "POST",
  path: "/api/knowledge/ingest",
  tag,
  decides: true,
  summary: "Reads a document into memories: a file, an address or a text",
  description:
    "One of `file`, as `multipart/form-data`, `url` and `text`. The same bytes in the same domain are the same source; another version from the same address replaces the one before once it was read.",
  query: v.object({
    wait: v.optional(
      v.pipe(v.picklist(["true", "false"]), v.description("`false`: answer before it is read.")),
      "true",
    ),
  }),
  upload: { maxBytes: MAX_FILE },
  body: ingestBody,
  bodyOptional: true,
  idempotency: "own",
  reply: json(ingested),
  acceptedWhen: {
    when: "It is stored, and read later.",
    schema: v.object({ enabled: v.literal(true), source_id: v.number(), state: sourceSchema.entries.state }),
  },
  failures: {
    ...failures,
    400: "None or several of file, address and text; empty, unreadable or locked by a password; an address that is refused or does not answer.",
    409: "There are as many memories as there may be.",
    413: "It is larger than 32 MiB, or has more text than one document may have.",
    415: "It is of a type that is not read.",
    429: "Too many documents wait already.",
  },
  example: { body: { text: "# Opening hours\n\nNine to five.", title: "Handbook", domain: "work" } },
});

export const attachDocument = defineRoute({
  name: "knowledge.attach",
  method: "POST",
  path: "/api/knowledge/attach",
  tag,
  decides: true,
  summary: "Reads a document for one conversation",
  description:
    "One up to 8,000 characters is answered whole, and stored nowhere; of a longer one the opening is answered, and its memories are recalled in that conversation alone. They go with it.",
  upload: { maxBytes: MAX_FILE },
  body: v.object({
    session_id: v.pipe(v.string(), v.regex(/\S/, "a session is named"), v.maxLength(200)),
    text: v.optional(v.pipe(v.string(), v.maxLength(1_000_000))),
  }),
  idempotency: "own",
  reply: json(
    v.object({
      enabled: v.literal(true),
      mode: v.picklist(["inline", "indexed"]),
      context: v.pipe(v.string(), v.description("What to send with the message.")),
      title: v.string(),
      source_type: v.string(),
      chars: v.number(),
      source_id: v.nullable(v.number()),
    }),
  ),
  failures: {
    ...failures,
    400: "None or both of file and text; empty, unreadable or locked by a password.",
    409: "There are as many memories as there may be.",
    413: "It is larger than 32 MiB, or has more text than one document may have.",
    415: "It is of a type that is not read.",
    429: "Too many documents wait already.",
  },
});

export const listSources = defineRoute({
  name: "knowledge.sources",
  method: "GET",
  path: "/api/knowledge/sources",
  tag,
  summary: "The documents that were read into memories, and those that are, newest first",
  query: v.object({
    ...pageQuery(v.number()).entries,
    domain: v.optional(v.pipe(v.string(), v.maxLength(64)), ""),
    removed: flagQuery("Also those that can be restored."),
  }),
  reply: json(v.object({ enabled: v.literal(true), sources: v.array(sourceSchema), ...pageFields })),
  failures,
});

export const readSource = defineRoute({
  name: "knowledge.source",
  method: "GET",
  path: "/api/knowledge/sources/{source_id}",
  tag,
  summary: "One document, and how far it was read",
  params: { source_id: "The source's number." },
  reply: json(sourceSchema),
  failures: unknown,
});

const reference = v.object({
  source: v.optional(v.pipe(v.string(), v.maxLength(8_192), v.description("Its address, title or file name."))),
  source_id: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
});

export const deleteBySource = defineRoute({
  name: "knowledge.deleteSource",
  method: "POST",
  path: "/api/knowledge/delete-by-source",
  tag,
  decides: true,
  summary: "Takes a document's memories out of every search at once; it can be restored for a day",
  body: reference,
  reply: json(v.object({ enabled: v.literal(true), deleted: v.pipe(v.number(), v.description("Memories.")) })),
  failures: { ...unknown, 400: "Not one of `source` and `source_id`." },
  example: { body: { source_id: 3 } },
});

export const restoreBySource = defineRoute({
  name: "knowledge.restoreSource",
  method: "POST",
  path: "/api/knowledge/restore-by-source",
  tag,
  decides: true,
  summary: "Shows a document's memories again, in place of what was read from its address since",
  body: reference,
  reply: json(v.object({ enabled: v.literal(true), restored: v.pipe(v.number(), v.description("Memories.")) })),
  failures: { ...unknown, 400: "Not one of `source` and `source_id`.", 409: "It was removed more than a day ago." },
  example: { body: { source_id: 3 } },
});

type SourceRow = Frozen<v.InferInput<typeof sourceSchema>>;

/** What is to be read: one of three, with how it is called. */
export type IngestedDocument = Pick<v.InferOutput<typeof ingestBody>, "title" | "domain"> &
  ({ readonly file: Upload } | { readonly url: string } | { readonly text: string });

/** Which source: its number, or its address, title or file name. */
type Reference = { readonly id: number } | { readonly named: string };

/** Implemented by the service. Refuses by throwing `Problem`; nothing changed then. */
export interface KnowledgeSourcesService {
  /** Durable when it resolves; read behind it. */
  take(document: IngestedDocument, signal: AbortSignal): Promise<SourceRow>;
  /** Waits until it was read. */
  ready(id: number, signal: AbortSignal): Promise<{ readonly source: SourceRow; readonly chunks: readonly number[] }>;
  /** Reads it for one conversation. */
  attach(
    document: Upload,
    session: string,
    signal: AbortSignal,
  ): Promise<Omit<v.InferOutput<typeof attachDocument.reply.schema>, "enabled">>;
  list(query: {
    readonly domain: string;
    readonly removed: boolean;
    readonly limit: number;
    readonly before: number | undefined;
  }): Promise<readonly SourceRow[]>;
  read(id: number): Promise<SourceRow>;
  remove(which: Reference): Promise<number>;
  restore(which: Reference): Promise<number>;
}

export function sourceRoutes(sources: KnowledgeSourcesService): readonly ServedRoute[] {
  return [
    serve(ingestDocument, async ({ body, upload, query, signal }) => {
      const { id, state } = await sources.take(documentOf(body, upload), signal);
      if (query.wait === "false") return new Accepted({ enabled: true as const, source_id: id, state });
      const { source, chunks } = await sources.ready(id, signal);
      const { title, source_type, chars } = source;
      return {
        ...{ enabled: true as const, source_id: id, ids: chunks, chunks: chunks.length },
        ...{ title, source_type, chars },
      };
    }),
    serve(attachDocument, async ({ body: { session_id, text }, upload, signal }) => {
      if ((text === undefined) === (upload === undefined)) throw new Problem(400, "Send one of file and text.");
      const written = { name: "", mediaType: "text/markdown", bytes: new TextEncoder().encode(text) };
      return { enabled: true as const, ...(await sources.attach(upload ?? written, session_id, signal)) };
    }),
    serve(listSources, async ({ query: { limit, cursor, ...query } }) => {
      const found = await sources.list({ ...query, limit: limit + 1, before: cursor });
      const page = found.slice(0, limit);
      const next_cursor = cursorOf(found.length > limit ? page.at(-1)?.id : undefined);
      return { enabled: true as const, sources: page, next_cursor };
    }),
    serve(readSource, ({ params: { source_id } }) => {
      if (/^[1-9]\d{0,14}$/.test(source_id)) return sources.read(Number(source_id));
      throw new Problem(404, "There is no such source; GET /api/knowledge/sources lists them.");
    }),
    serve(deleteBySource, async ({ body }) => ({
      ...{ enabled: true as const, deleted: await sources.remove(referenceOf(body)) },
    })),
    serve(restoreBySource, async ({ body }) => ({
      ...{ enabled: true as const, restored: await sources.restore(referenceOf(body)) },
    })),
  ];
}

/** @throws Problem 400 */
function documentOf(
  { url, text, title, domain: where }: v.InferOutput<typeof ingestBody>,
  file: Upload | undefined,
): IngestedDocument {
  const given = [file && { file }, url !== undefined && { url }, text !== undefined && { text }].filter(
    (one) => one !== undefined && one !== false,
  );
  const [one, second] = given;
  if (one === undefined || second !== undefined) throw new Problem(400, "Send one of file, url and text.");
  return { ...one, title, domain: where };
}

/** @throws Problem 400 */
function referenceOf({ source, source_id }: v.InferOutput<typeof reference>): Reference {
  if (source_id !== undefined && source === undefined) return { id: source_id };
  // Blank is what documents have that were handed over: it names none of them.
  if (source !== undefined && source !== "" && source_id === undefined) return { named: source };
  throw new Problem(400, "Send one of source and source_id.");
}
