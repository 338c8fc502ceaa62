import * as v from "valibot";
import { Problem } from "../problem/index.ts";
import { defineRoute, json, media, type ServedRoute, serve } from "../route/index.ts";

const tag = "Knowledge";
const NDJSON = "application/x-ndjson";
const failures = { 503: "The store cannot be opened." } as const;

export const exportKnowledge = defineRoute({
  name: "knowledge.export",
  method: "GET",
  path: "/api/knowledge/export",
  tag,
  summary: "All memories that are accepted and stand, a line of JSON each, the oldest first",
  query: v.object({ domain: v.optional(v.pipe(v.string(), v.maxLength(64)), "") }),
  reply: media(NDJSON),
  failures,
});

export const importKnowledge = defineRoute({
  name: "knowledge.import",
  method: "POST",
  path: "/api/knowledge/import",
  tag,
  decides: true,
  summary: "Stores the memories of an export, once per text and domain",
  description:
    "The lines themselves, as `application/x-ndjson`, or one of `file`, as `multipart/form-data`, and `text`. A line is an object with `content`, and perhaps `domain`, `heading`, `subject`, `memory_kind`, `delivery_policy`, `trust` (default `operator`) and `expires_at`. One that is no memory is named and passed over.",
  upload: { maxBytes: 32 * 1024 * 1024, alone: NDJSON },
  body: v.object({ text: v.optional(v.pipe(v.string(), v.maxLength(1_000_000))) }),
  bodyOptional: true,
  idempotency: "own",
  reply: json(
    v.object({
      enabled: v.literal(true),
      added: v.number(),
      known: v.pipe(v.number(), v.description("Those that were there, or came twice.")),
      refused: v.pipe(
        v.array(v.object({ line: v.number(), why: v.string() })),
        v.description("Lines, from 1, that are no memories; the first hundred."),
      ),
    }),
  ),
  failures: {
    ...failures,
    400: "None or both of file and text.",
    409: "There are as many memories as there may be; what came before is stored.",
  },
  example: { body: { text: '{"content":"Water the ferns on Monday.","domain":"plants"}' } },
});

/** Implemented by the service. Refuses by throwing `Problem`. */
export interface KnowledgeTransferService {
  /** Lines of JSON. */
  out(domain: string): Promise<ReadableStream<Uint8Array>>;
  bring(
    bytes: Uint8Array,
    signal: AbortSignal,
  ): Promise<{
    readonly added: number;
    readonly known: number;
    readonly refused: readonly { readonly line: number; readonly why: string }[];
  }>;
}

export function transferRoutes(transfer: KnowledgeTransferService): readonly ServedRoute[] {
  return [
    serve(exportKnowledge, async ({ query }) => ({
      body: await transfer.out(query.domain),
      headers: { "content-disposition": 'attachment; filename="memories.ndjson"' },
    })),
    serve(importKnowledge, async ({ body: { text }, upload, signal }) => {
      if ((text === undefined) === (upload === undefined)) throw new Problem(400, "Send one of file and text.");
      const bytes = upload?.bytes ?? new TextEncoder().encode(text);
      return { enabled: true as const, ...(await transfer.bring(bytes, signal)) };
    }),
  ];
}
