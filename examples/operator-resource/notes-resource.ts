// #region resource
import {
  cursorOf,
  defineResource,
  defineRoute,
  json,
  Problem,
  pageFields,
  pageQuery,
  serve,
} from "@agent-service/operator-api";
import * as v from "valibot";

const noteSchema = v.object({ id: v.number(), text: v.string() });

export const listNotes = defineRoute({
  name: "notes.list",
  method: "GET",
  path: "/api/notes",
  tag: "Notes",
  summary: "Notes, newest first",
  query: pageQuery(v.number()),
  reply: json(v.object({ notes: v.array(noteSchema), ...pageFields })),
});

export const editNote = defineRoute({
  name: "notes.edit",
  method: "PUT",
  path: "/api/notes/{id}",
  tag: "Notes",
  summary: "Changes a note's text",
  body: v.object({ text: v.pipe(v.string(), v.trim(), v.nonEmpty("A note says something."), v.maxLength(1000)) }),
  reply: json(noteSchema),
  failures: { 404: "There is no such note." },
});

/** What the resource is over: the server gives one. */
export interface NotesService {
  /** Notes older than `before`, newest first. */
  list(limit: number, before?: number): Promise<readonly { readonly id: number; readonly text: string }[]>;
  edit(id: string, text: string): Promise<{ readonly id: number; readonly text: string } | undefined>;
}

export const notes = defineResource({
  name: "notes",
  feature: "notes",
  definitions: [listNotes, editNote],
  topics: [{ topic: "note.changed", when: "A note's text was changed", data: "`id`" }],
  routes: (notes: NotesService) => [
    serve(listNotes, async ({ query: { limit, cursor } }) => {
      const page = await notes.list(limit, cursor);
      return { notes: page, next_cursor: page.length < limit ? null : cursorOf(page.at(-1)?.id) };
    }),
    serve(editNote, async ({ params, body }) => {
      const edited = await notes.edit(params.id, body.text);
      if (edited === undefined) throw new Problem(404, `There is no note ${params.id}.`);
      return edited;
    }),
  ],
});
// #endregion resource
