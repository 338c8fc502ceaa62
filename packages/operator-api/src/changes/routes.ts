import * as v from "valibot";
import { cursorOf, pageFields, pageQuery } from "../paging/index.ts";
import { Problem } from "../problem/index.ts";
import { defineRoute, type Frozen, json, type ServedRoute, serve } from "../route/index.ts";
import {
  type ChangeRow,
  type ChangesDiffRow,
  changeSchema,
  changesDiffSchema,
  type UndoneFileRow,
  undoneFileSchema,
} from "./schema.ts";

const tag = "Changes";
const MOST_IDS = 5_000;
const notOne = "Not exactly one is named of what the changes are to be of.";

const name = (description: string) =>
  v.optional(v.pipe(v.string(), v.nonEmpty(), v.maxLength(512), v.description(description)));
const of = {
  session_id: name("Of this conversation."),
  task_id: name("Of this turn, with what it delegated."),
  project: name("Of this project."),
};

export const listChanges = defineRoute({
  name: "changes.list",
  method: "GET",
  path: "/api/changes",
  tag,
  summary: "What tools changed in files, newest first",
  description: "Name one of `session_id`, `task_id` and `project`.",
  query: v.object({ ...pageQuery(v.string()).entries, ...of }),
  reply: json(v.object({ changes: v.array(changeSchema), ...pageFields })),
  failures: { 400: notOne },
});

export const diffChanges = defineRoute({
  name: "changes.diff",
  method: "GET",
  path: "/api/changes/diff",
  tag,
  summary: "What changes came to: one difference per file",
  description:
    "From what a file held before the first of the changes to what it holds now. Name one of `session_id`, `task_id`, `project` and `ids`.",
  query: v.object({
    ...of,
    ids: v.optional(
      v.pipe(
        v.string(),
        v.maxLength(200_000),
        v.transform((ids) => ids.split(",").filter((id) => id !== "")),
        v.maxLength(MOST_IDS),
        v.description("Of these changes, with commas between them."),
      ),
    ),
  }),
  reply: json(changesDiffSchema),
  failures: { 400: notOne },
});

export const undoChanges = defineRoute({
  name: "changes.undo",
  method: "POST",
  path: "/api/changes/undo",
  tag,
  summary: "Takes changes back",
  description:
    "Of a file all that were chosen, or nothing: a file that is not as the newest of them left it, or that another change lies between, is a `conflict` and is not touched. An undo is itself a change (`origin: undo`) and can be undone by its ids. One that the end of the service cuts off is finished at the next start.",
  body: v.union([
    v.strictObject({
      task_id: v.pipe(
        v.string(),
        v.nonEmpty(),
        v.maxLength(512),
        v.description("All that this turn, and what it delegated, changed and that is in effect."),
      ),
      preview: v.pipe(v.optional(v.boolean(), false), v.description("Change nothing, and answer the same.")),
    }),
    v.strictObject({
      ids: v.pipe(v.array(v.pipe(v.string(), v.maxLength(64))), v.minLength(1), v.maxLength(MOST_IDS)),
      preview: v.optional(v.boolean(), false),
    }),
  ]),
  reply: json(
    v.object({
      undo_id: v.string(),
      files: v.pipe(v.array(undoneFileSchema), v.description("The one changed last first.")),
    }),
  ),
  failures: { 404: "There is no such turn or change.", 409: "The turn still runs." },
  example: { body: { task_id: "01999999-0000-7000-8000-000000000000", preview: true } },
});

/** Which changes are meant. */
export type ChangesOf =
  | { readonly session: string }
  | { readonly task: string }
  | { readonly project: string }
  | { readonly ids: readonly string[] };

/** Implemented by the service. Refuses by throwing `Problem`; nothing changed then. */
export interface ChangesService {
  /** Newest first. `before`: the last one of the page before. */
  list(of: ChangesOf, limit: number, before: string | undefined): Promise<readonly Frozen<ChangeRow>[]>;
  diff(of: ChangesOf): Promise<Frozen<ChangesDiffRow>>;
  undo(
    of: { readonly task: string } | { readonly ids: readonly string[] },
    preview: boolean,
  ): Promise<{ readonly id: string; readonly files: readonly Frozen<UndoneFileRow>[] }>;
}

export function changesRoutes(changes: ChangesService): readonly ServedRoute[] {
  return [
    serve(listChanges, async ({ query: { limit, cursor, ...query } }) => {
      const rows = await changes.list(oneOf(query), limit + 1, cursor);
      const page = rows.slice(0, limit);
      return { changes: page, next_cursor: cursorOf(rows.length > limit ? page.at(-1)?.id : undefined) };
    }),
    serve(diffChanges, ({ query }) => changes.diff(oneOf(query))),
    serve(undoChanges, async ({ body }) => {
      const { id, files } = await changes.undo(
        "ids" in body ? { ids: body.ids } : { task: body.task_id },
        body.preview,
      );
      return { undo_id: id, files };
    }),
  ];
}

/** @throws Problem 400 where not exactly one is named */
function oneOf({
  session_id,
  task_id,
  project,
  ids,
}: {
  readonly session_id?: string | undefined;
  readonly task_id?: string | undefined;
  readonly project?: string | undefined;
  readonly ids?: readonly string[] | undefined;
}): ChangesOf {
  const named = [
    ...(session_id === undefined ? [] : [{ session: session_id }]),
    ...(task_id === undefined ? [] : [{ task: task_id }]),
    ...(project === undefined ? [] : [{ project }]),
    ...(ids === undefined ? [] : [{ ids }]),
  ];
  const [only] = named;
  if (only !== undefined && named.length === 1) return only;
  throw new Problem(400, notOne);
}
