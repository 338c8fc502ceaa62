import * as v from "valibot";
import { readKey } from "../idempotency/index.ts";
import { objectProblemSchema, Problem, textProblemSchema } from "../problem/index.ts";
import { defineRoute, type Frozen, json, type ServedRoute, serve } from "../route/index.ts";

const tag = "Shares";
const DAY_S = 86_400;

const tick = (description: string) => v.optional(v.pipe(v.boolean(), v.description(description)), false);
const includeSchema = v.strictObject({
  tool_arguments: tick("Arguments of tool calls, and the approvals of calls, which show them."),
  tool_results: tick("What tool calls came to. With the arguments also the tool's own words for each call."),
  reasoning: tick("What the model thought, as far as it is kept."),
  persona: tick("The agent's persona, as it is now."),
});

const id = (description: string) => v.pipe(v.string(), v.nonEmpty(), v.maxLength(512), v.description(description));
const include = v.optional(includeSchema, {});
const ofSession = { session_id: id("The whole conversation."), include };
const ofTask = { task_id: id("One run of it."), include };

const blockSchema = v.object({
  kind: v.picklist(["persona", "user", "agent", "thought", "call", "answer", "component", "data", "state"]),
  text: v.pipe(v.string(), v.description("The first 2,000 characters, as the page has them.")),
});

const previewSchema = v.object({
  title: v.string(),
  turns: v.number(),
  hidden: v.pipe(v.number(), v.description("Places where a secret was taken out; `***` stands for each.")),
  blocks: v.pipe(v.array(blockSchema), v.description("The first 200.")),
  more: v.pipe(v.number(), v.description("Blocks after those.")),
});

const shareSchema = v.object({
  id: v.string(),
  session_id: v.string(),
  task_id: v.pipe(v.nullable(v.string()), v.description("Null: the whole conversation.")),
  title: v.string(),
  include: v.object({
    tool_arguments: v.boolean(),
    tool_results: v.boolean(),
    reasoning: v.boolean(),
    persona: v.boolean(),
  }),
  bytes: v.pipe(v.number(), v.description("Of the page.")),
  created_at: v.pipe(v.string(), v.description("ISO 8601.")),
  expires_at: v.pipe(v.string(), v.description("ISO 8601.")),
});

const problem = v.union([textProblemSchema, objectProblemSchema]);
const failures = {
  404: { description: "There is no such conversation or run (`not_found`).", schema: problem },
  409: {
    description:
      "Sharing is switched off (`switched_off`) or no token guards the service (`no_token`); the conversation is incognito (`incognito`), too long (`too_large`) or empty (`nothing_to_share`); there are too many shares (`full`), or the request made one already (`repeated`).",
    schema: problem,
  },
};

/** `POST /api/shares/preview`. */
export const previewShare = defineRoute({
  name: "shares.preview",
  method: "POST",
  path: "/api/shares/preview",
  tag,
  summary: "What a share would show, without making one",
  body: v.union([v.strictObject(ofSession), v.strictObject(ofTask)]),
  reply: json(previewSchema),
  idempotency: "own",
  failures,
  example: { body: { session_id: "morning" } },
});

const expires_in_s = v.optional(
  v.pipe(v.number(), v.integer(), v.minValue(60), v.maxValue(30 * DAY_S), v.description("Seconds until it expires.")),
  7 * DAY_S,
);

/** `POST /api/shares`. */
export const addShare = defineRoute({
  name: "shares.add",
  method: "POST",
  path: "/api/shares",
  tag,
  summary: "Shares a conversation or a run as a read-only page behind a link",
  description:
    "The page is a copy of this moment without secrets. The link is in this answer only: the service keeps its SHA-256. Whoever has it reads the page without a token until it expires or is revoked, or its conversation is deleted. A request that is repeated under the same Idempotency-Key makes no second share, and is answered 409.",
  body: v.union([v.strictObject({ ...ofSession, expires_in_s }), v.strictObject({ ...ofTask, expires_in_s })]),
  reply: json(v.object({ id: v.string(), url: v.string(), expires_at: v.string() }), 201),
  idempotency: "own",
  failures,
  example: { body: { session_id: "morning", expires_in_s: DAY_S, include: { tool_results: true } } },
});

/** `GET /api/shares`. */
export const listShares = defineRoute({
  name: "shares.list",
  method: "GET",
  path: "/api/shares",
  tag,
  summary: "The shares that have not expired, newest first",
  reply: json(
    v.object({
      state: v.pipe(
        v.picklist(["on", "switched_off", "no_token"]),
        v.description("Other than `on`: no share is made and no page is shown."),
      ),
      shares: v.pipe(v.array(shareSchema), v.description("At most 500.")),
    }),
  ),
});

/** `DELETE /api/shares/{id}`. */
export const removeShare = defineRoute({
  name: "shares.remove",
  method: "DELETE",
  path: "/api/shares/{id}",
  tag,
  summary: "Revokes a share: its link leads nowhere from then on",
  params: { id: "Of a share, as it is listed." },
  reply: json(v.object({ ok: v.literal(true) })),
  failures: { 404: "There is no such share." },
});

/** A share on the wire. */
export type ShareRow = v.InferOutput<typeof shareSchema>;
/** What is asked to be shared. */
export type ShareTarget = {
  readonly of: { readonly session: string } | { readonly task: string };
  readonly include: v.InferOutput<typeof includeSchema>;
};

/** Implemented by the service. Refuses by throwing `Problem`; nothing changed then. */
export interface SharesService {
  preview(target: ShareTarget): Promise<Frozen<v.InferOutput<typeof previewSchema>>>;
  /** `key` names the request; `host`: the request's Host. */
  add(
    target: ShareTarget & {
      readonly expiresInS: number;
      readonly key: string | undefined;
      readonly host: string | undefined;
    },
  ): Promise<{ readonly id: string; readonly url: string; readonly expires_at: string }>;
  state(): "on" | "switched_off" | "no_token";
  list(): Promise<readonly ShareRow[]>;
  /** False: there is none. */
  remove(id: string): Promise<boolean>;
}

function targetOf(
  body: { readonly include: ShareTarget["include"] } & ({ readonly session_id: string } | { readonly task_id: string }),
): ShareTarget {
  const { include } = body;
  return { of: "session_id" in body ? { session: body.session_id } : { task: body.task_id }, include };
}

/** Serves the routes of shares. */
export function sharesRoutes(shares: SharesService): readonly ServedRoute[] {
  return [
    serve(previewShare, ({ body }) => shares.preview(targetOf(body))),
    serve(addShare, ({ body, headers }) =>
      shares.add({
        ...targetOf(body),
        expiresInS: body.expires_in_s,
        key: readKey(headers),
        host: headers.get("host") ?? undefined,
      }),
    ),
    serve(listShares, async () => ({ state: shares.state(), shares: [...(await shares.list())] })),
    serve(removeShare, async ({ params: { id } }) => {
      if (!(await shares.remove(id))) throw new Problem(404, "There is no such share.");
      return { ok: true as const };
    }),
  ];
}
