import * as v from "valibot";
import { objectProblemSchema, Problem } from "../problem/index.ts";
import { defineRoute, json, type RequestKey, type ServedRoute, serve } from "../route/index.ts";

const tag = "Steering";
const params = { id: "Of the session." };
const failures = { 404: { description: "There is no such session.", schema: objectProblemSchema } };

const id = v.pipe(
  v.string(),
  v.regex(/^[\w.:-]{1,128}$/, "Expected 1 to 128 letters, digits, points, colons, hyphens or underscores."),
);

/** `POST /api/chat/sessions/{id}/steer` (R8). */
export const addSteer = defineRoute({
  name: "steer.add",
  method: "POST",
  path: "/api/chat/sessions/{id}/steer",
  tag,
  summary: "Sends a message to a session while it works",
  description:
    "Durable when answered, and read exactly once: by the next model call of the turn that runs there, else by the turn that waits behind it, else by one turn of its own. Nothing has to be sent again. At most 100 messages of a session wait; beyond that 429.",
  params,
  body: v.object({
    text: v.pipe(v.string(), v.trim(), v.maxLength(65_536)),
    id: v.pipe(
      v.optional(id),
      v.description("A name to withdraw it by. The same text under the same name is accepted once in 24 hours."),
    ),
  }),
  reply: json(
    v.object({
      ok: v.literal(true),
      id: v.string(),
      pending: v.pipe(v.number(), v.description("Messages of the session that no model call has read yet.")),
      task_id: v.pipe(v.nullable(v.string()), v.description("The turn it started; null: a turn was running.")),
    }),
  ),
  failures: {
    ...failures,
    400: "The text is blank.",
    409: "The name was used for another text.",
    429: "Too many messages of the session wait already.",
  },
  example: { body: { text: "Also look at the tests.", id: "s-1" } },
});

export const listSteers = defineRoute({
  name: "steer.list",
  method: "GET",
  path: "/api/chat/sessions/{id}/steer",
  tag,
  summary: "Messages to a session that were not read yet, oldest first",
  params,
  reply: json(v.object({ pending: v.array(v.object({ id: v.string(), text: v.string() })) })),
  failures,
});

export const removeSteer = defineRoute({
  name: "steer.remove",
  method: "DELETE",
  path: "/api/chat/sessions/{id}/steer/{msg_id}",
  tag,
  summary: "Withdraws a message that was not read yet",
  params: { ...params, msg_id: "The name or id of the message." },
  reply: json(
    v.object({
      removed: v.pipe(v.boolean(), v.description("False: it was read already, or there never was one.")),
      pending: v.number(),
    }),
  ),
  failures,
});

/** Implemented by the service. Each method rejects where there is no such session. */
export interface SteeringService {
  /** Durable when it resolves. `unread`: messages that no model call has read yet; `task`: the turn it started. */
  add(
    session: string,
    message: { readonly text: string; readonly id?: string | undefined },
    requestKey: RequestKey | undefined,
  ): Promise<{ readonly id: string; readonly unread: number; readonly task: string | undefined }>;
  list(session: string): Promise<readonly { readonly id: string; readonly text: string }[]>;
  remove(session: string, id: string): Promise<{ readonly removed: boolean; readonly unread: number }>;
}

export function steeringRoutes(steering: SteeringService): readonly ServedRoute[] {
  return [
    serve(addSteer, async ({ params: { id: session }, body: { text, id: name }, requestKey }) => {
      if (text === "") throw new Problem(400, "The message is blank.");
      const { id, unread, task } = await steering.add(session, { text, id: name }, requestKey);
      return { ok: true as const, id, pending: unread, task_id: task ?? null };
    }),
    serve(listSteers, async ({ params }) => ({ pending: await steering.list(params.id) })),
    serve(removeSteer, async ({ params }) => {
      const { removed, unread } = await steering.remove(params.id, params.msg_id);
      return { removed, pending: unread };
    }),
  ];
}
