import * as v from "valibot";
import { objectProblemSchema, textProblemSchema } from "../problem/index.ts";
import { defineRoute, type Frozen, json, type ServedRoute, serve } from "../route/index.ts";

const tag = "Editor";
const refusal = (description: string) => ({ description, schema: objectProblemSchema });
/** A body that is no JSON is refused with a text, before the route runs. */
const badRequest = (description: string) => ({
  description,
  schema: v.union([objectProblemSchema, textProblemSchema]),
});
const optional = (most: number, description: string) =>
  v.optional(v.nullable(v.pipe(v.string(), v.maxLength(most), v.description(description))), null);

export const offerHandoff = defineRoute({
  name: "editor_handoff.offer",
  method: "POST",
  path: "/api/editor/handoff",
  tag,
  summary: "Offers a conversation to an agent in an editor",
  description: `In memory, for 120 seconds, for one claim. There is one offer per folder of a project and one per conversation: a newer
one takes its place. Without a project any folder matches. Path and line are handed over as they are; whether there is such a file
is not looked at.`,
  body: v.object({
    session_id: v.optional(v.pipe(v.string(), v.maxLength(512), v.description("Of the operator's conversations.")), ""),
    project: optional(64, "Its name."),
    path: optional(4_096, "In the project."),
    line: v.optional(v.nullable(v.pipe(v.unknown(), v.description("A whole number from 1."))), null),
    title: optional(500, "For people."),
  }),
  reply: json(
    v.object({
      id: v.string(),
      expires_at: v.pipe(v.string(), v.description("ISO 8601.")),
      root: v.pipe(v.nullable(v.string()), v.description("The project's folder; null: any folder.")),
    }),
  ),
  failures: {
    400: badRequest(
      "The code is `bad_request` (no session, a path without a project, no line number), `unknown_project` or `bad_path`.",
    ),
    404: refusal("The code is `not_found`: there is no such session."),
  },
  example: { body: { session_id: "s-1", project: "app", path: "src/main.ts", line: 12 } },
});

export const claimHandoff = defineRoute({
  name: "editor_handoff.claim",
  method: "POST",
  path: "/api/editor/handoff/claim",
  tag,
  summary: "Takes the newest offer for an editor in this folder",
  description: `That is one of a project whose folder is \`cwd\`, holds it, or lies at most 3 levels below it, or one without a project. It is
removed with all others of its conversation. The root of the file system matches none, the user's home only one without a project.`,
  body: v.object({
    cwd: v.optional(v.pipe(v.string(), v.description("The folder that the editor has open: absolute.")), ""),
  }),
  reply: json(
    v.object({
      session_id: v.string(),
      project: v.nullable(v.string()),
      path: v.nullable(v.string()),
      line: v.nullable(v.number()),
      title: v.nullable(v.string()),
    }),
  ),
  emptyWhen: "Nothing is offered for this folder.",
  failures: { 400: badRequest("The code is `bad_request`: `cwd` is no absolute path of at most 4,096 characters.") },
  // What is offered is in memory only.
  idempotency: "status-only",
  example: { body: { cwd: "/home/ann/src/app" } },
});

/** What an editor continues. */
export type OfferedHandoff = Frozen<v.InferOutput<(typeof claimHandoff)["reply"]["schema"]>>;

/** Implemented by the service. Refuses by throwing `Problem`. */
export interface EditorHandoffService {
  offer(
    request: v.InferOutput<typeof offerHandoff.body>,
  ): Promise<{ readonly id: string; readonly expires_at: string; readonly root: string | null }>;
  /** Undefined: nothing is offered for the folder. */
  claim(request: v.InferOutput<typeof claimHandoff.body>): Promise<OfferedHandoff | undefined>;
}

export function editorHandoffRoutes(handoff: EditorHandoffService): readonly ServedRoute[] {
  return [
    serve(offerHandoff, ({ body }) => handoff.offer(body)),
    serve(claimHandoff, ({ body }) => handoff.claim(body)),
  ];
}
