import * as v from "valibot";
import { cursorOf, pageFields, pageQuery } from "../paging/index.ts";
import { defineRoute, json, type ServedRoute, serve } from "../route/index.ts";

const tag = "Example note";

const entrySchema = v.object({
  id: v.number(),
  text: v.string(),
  created_at: v.pipe(v.string(), v.description("ISO 8601.")),
});

/** An entry as the API shows it. */
export type ExampleNoteRow = v.InferInput<typeof entrySchema>;

/** `GET /api/example-note`. */
export const listExampleNote = defineRoute({
  name: "example_note.list",
  method: "GET",
  path: "/api/example-note",
  tag,
  summary: "The entries, newest first",
  query: pageQuery(v.number()),
  reply: json(v.object({ entries: v.array(entrySchema), ...pageFields })),
});

/** `POST /api/example-note`. */
export const addExampleNote = defineRoute({
  name: "example_note.add",
  method: "POST",
  path: "/api/example-note",
  tag,
  summary: "Adds an entry",
  body: v.object({ text: v.pipe(v.string(), v.trim(), v.nonEmpty("must not be blank"), v.maxLength(4_000)) }),
  reply: json(entrySchema, 201),
  failures: { 409: "There are as many entries as the settings allow." },
  example: { body: { text: "Renew the certificate on Friday." } },
});

/** What the routes are over. Refuses by throwing `Problem`; nothing changed then. */
export interface ExampleNoteService {
  /** Newest first; `before` is the id of the last entry of the page before. */
  list(page: { readonly limit: number; readonly before: number | undefined }): Promise<readonly ExampleNoteRow[]>;
  /** `key` names the request: the same one adds one entry. */
  add(text: string, key: string | undefined): Promise<ExampleNoteRow>;
}

/** Serves the entries. */
export function exampleNoteRoutes(service: ExampleNoteService): readonly ServedRoute[] {
  return [
    serve(listExampleNote, async ({ query: { limit, cursor } }) => {
      const entries = await service.list({ limit: limit + 1, before: cursor });
      const page = entries.slice(0, limit);
      return { entries: page, next_cursor: cursorOf(entries.length > limit ? page.at(-1)?.id : undefined) };
    }),
    serve(addExampleNote, ({ body: { text }, requestKey }) => service.add(text, requestKey?.key)),
  ];
}
