import type { SessionRecord } from "@agent-service/agent-core/host";
import * as v from "valibot";
import { type UndoneFileRow, undoneFileSchema } from "../changes/index.ts";
import { flagQuery } from "../paging/index.ts";
import { objectProblemSchema, Problem } from "../problem/index.ts";
import { defineRoute, type Frozen, json, notBlank, type RequestKey, type ServedRoute, serve } from "../route/index.ts";
import { sessionOf, sessionSchema } from "../sessions/index.ts";

const tag = "Sessions";
const params = { id: "The session: what A2A calls the context." };
const unknown = {
  description: "There is no such session, or no such turn in it (`not_found`).",
  schema: objectProblemSchema,
};
const failures = { 404: unknown };
const busy = "A turn of the session runs, waits or asks a person.";

/** What went with a session (K13). */
const forgotten = v.object({
  chunks: v.pipe(v.number(), v.description("Memories.")),
  frames: v.pipe(v.number(), v.description("What turns of other conversations were shown of it and of them.")),
  summaries: v.pipe(v.number(), v.description("Of the conversation, and of others that had their words.")),
  sources: v.pipe(v.number(), v.description("Documents.")),
  attachments: v.pipe(v.number(), v.description("Documents that were attached to it.")),
});

/** What stays of what a session left (K13). */
const kept = v.object({
  skills: v.pipe(v.array(v.string()), v.description("Skills that the agent wrote or changed in it.")),
  facts: v.pipe(
    v.nullable(v.number()),
    v.description(
      "Memories of it that stay: with `forget` those that others said too. Null: their store cannot be opened.",
    ),
  ),
});

/** `DELETE /api/chat/sessions/{id}` (O8). */
export const removeSession = defineRoute({
  name: "sessions.remove",
  method: "DELETE",
  path: "/api/chat/sessions/{id}",
  tag,
  summary: "Deletes a conversation",
  description:
    "Cancels its turns and removes its messages, journal, prompts, snapshots and unread messages; telemetry numbers and audit lines stay. It is deleted when this is answered, and a kill in the middle is gone on with at the next start. Its versions go with it, and turns that a fork shows stay with the fork. A later message under this id begins a new session.",
  params,
  query: v.object({
    harvest: flagQuery(
      "Extract memories first, as `POST /api/memory/sessions/{session_id}/harvest` does; where that fails nothing is deleted.",
    ),
    forget: flagQuery(
      "Forget what its turns stored and ingested too, with every copy, as `POST /api/memory/forget` does.",
    ),
    retire: v.pipe(
      v.optional(v.picklist(["true", "false", "1", "0"]), "true"),
      v.transform((value) => value === "true" || value === "1"),
      v.description("False: the conversation is cleared and the session stays, with its id and title."),
    ),
  }),
  reply: json(
    v.object({
      deleted: v.literal(true),
      harvested: v.boolean(),
      retired: v.boolean(),
      forgotten: v.pipe(v.nullable(forgotten), v.description("Null: it was not asked for.")),
      kept,
    }),
  ),
  failures: {
    ...failures,
    400: "Both `harvest` and `forget` are asked for.",
    502: "No memories could be extracted; nothing is deleted.",
    503: "The store of memories cannot be opened.",
  },
});

export const rewindSession = defineRoute({
  name: "sessions.rewind",
  method: "POST",
  path: "/api/chat/sessions/{id}/rewind",
  tag,
  summary: "Goes back to a turn",
  description:
    "Later turns are no longer shown to the model nor listed; they stay in the journal, and what their tools did stays done, but for changes of files where `files` is set.",
  params,
  body: v.object({
    task_id: v.pipe(v.string(), v.maxLength(512), v.description("The turn, as `/turns` names it.")),
    keep: v.pipe(v.optional(v.boolean(), true), v.description("False: the turn itself is taken back too.")),
    files: v.pipe(
      v.optional(v.boolean(), false),
      v.description("Undo what those turns changed in files, as `POST /api/changes/undo` does."),
    ),
  }),
  reply: json(
    v.object({
      ok: v.literal(true),
      removed: v.pipe(v.number(), v.description("Turns taken back.")),
      files: v.pipe(
        v.optional(v.array(undoneFileSchema)),
        v.description("Where `files` was set: what became of each."),
      ),
    }),
  ),
  failures: { ...failures, 409: busy },
});

export const forkSession = defineRoute({
  name: "sessions.fork",
  method: "POST",
  path: "/api/chat/sessions/{id}/fork",
  tag,
  summary: "Begins a new session with the conversation up to and including a turn",
  description: "Nothing is copied: the new session refers to the turns, and goes its own way from there.",
  params,
  bodyOptional: true,
  body: v.object({
    task_id: v.pipe(
      v.optional(v.pipe(v.string(), v.maxLength(512))),
      v.description("The turn, as `/turns` names it. Default: the last one that ended."),
    ),
    title: v.optional(notBlank(200, "The title is blank.")),
  }),
  reply: json(sessionSchema, 201),
  failures: { ...failures, 409: "The turn, or one before it, has not ended, or the session is incognito." },
});

export const regenerateAnswer = defineRoute({
  name: "sessions.regenerate",
  method: "POST",
  path: "/api/chat/sessions/{id}/regenerate",
  tag,
  summary: "Answers the last user message again",
  description:
    "Its turn is taken back and a new one begins with the same message. Answered as soon as the new turn is accepted: follow it on `/turns`, `/api/events` or A2A.",
  params,
  bodyOptional: true,
  body: v.object({
    model: v.pipe(
      v.optional(notBlank(512, "A model has a name.")),
      v.description("Default: the one the turn was asked of."),
    ),
  }),
  reply: json(v.object({ ok: v.literal(true), session_id: v.string(), task_id: v.string() }), 202),
  failures: { ...failures, 400: "There is no such model.", 409: busy, 429: "Too many turns wait already." },
});

export const askAgain = defineRoute({
  name: "sessions.addVersion",
  method: "POST",
  path: "/api/chat/sessions/{id}/versions",
  tag,
  summary: "Asks a turn's message again, or another in its place, beside the former answer",
  description:
    "The conversation goes on without that turn and those after it, in a session of its own that is no entry of the list: `versions` of the turn names all there are in its place. What tools did stays done, and they may act again. Answered as soon as the turn is accepted: follow it on `/turns`, `/api/events` or A2A.",
  params,
  body: v.object({
    task_id: v.pipe(v.string(), v.maxLength(512), v.description("The turn, as `/turns` names it.")),
    text: v.pipe(
      v.optional(v.pipe(v.string(), v.maxLength(1_000_000), v.regex(/\S/, "The message is blank."))),
      v.description("Instead of what the person wrote; its files stay. Default: the same message."),
    ),
    model: v.pipe(
      v.optional(notBlank(512, "A model has a name.")),
      v.description("Default: the one the turn was asked of."),
    ),
  }),
  reply: json(
    v.object({
      ok: v.literal(true),
      session_id: v.pipe(v.string(), v.description("The session of the version.")),
      task_id: v.string(),
    }),
    202,
  ),
  failures: {
    ...failures,
    400: "There is no such model.",
    409: "The turn, or one before it, has not ended; it is incognito; or there are 100 versions.",
    429: "Too many turns wait already.",
  },
});

export const compactSession = defineRoute({
  name: "sessions.compact",
  method: "POST",
  path: "/api/chat/sessions/{id}/compact",
  tag,
  summary: "Replaces the older part of a conversation by a summary",
  description:
    "A turn of its own, answered when it has ended; it waits behind the running one. The messages stay stored.",
  params,
  bodyOptional: true,
  body: v.object({}),
  reply: json(
    v.object({
      compacted: v.boolean(),
      task_id: v.string(),
      message: v.pipe(v.string(), v.description("For people: what came of it, or why nothing did.")),
      summarised: v.pipe(v.number(), v.description("Messages that the summary replaces.")),
      kept: v.pipe(v.number(), v.description("Messages that stay as they are.")),
    }),
  ),
  failures: { ...failures, 429: "Too many turns wait already." },
});

/** Implemented by the service. Every method rejects where there is no such session or turn. */
export interface SessionEditsService {
  /** `harvest`: memories are extracted first. `forget`: its memories go too; resolves with how many, null where that was not asked for. */
  remove(
    id: string,
    how: { readonly retire: boolean; readonly forget: boolean; readonly harvest: boolean },
  ): Promise<{
    readonly harvested: boolean;
    readonly forgotten: v.InferOutput<typeof forgotten> | null;
    readonly kept: Frozen<v.InferOutput<typeof kept>>;
  }>;
  /** `undo`: what the turns that go changed in files is taken back first. Resolves with how many turns went. */
  rewind(
    id: string,
    turn: string,
    how: { readonly keep: boolean; readonly undo: boolean; readonly key: RequestKey | undefined },
  ): Promise<{ readonly removed: number; readonly files: readonly Frozen<UndoneFileRow>[] }>;
  fork(
    id: string,
    from: { readonly turn?: string; readonly title?: string },
    key: RequestKey | undefined,
  ): Promise<SessionRecord>;
  regenerate(id: string, how: { readonly model?: string }, key: RequestKey | undefined): Promise<string>;
  addVersion(
    id: string,
    turn: string,
    how: { readonly text?: string; readonly model?: string },
    key: RequestKey | undefined,
  ): Promise<{ readonly session: string; readonly task: string }>;
  compact(
    id: string,
    signal: AbortSignal,
    key: RequestKey | undefined,
  ): Promise<{ readonly task: string; readonly message: string; readonly summarised: number; readonly kept: number }>;
}

export function sessionEditsRoutes(edits: SessionEditsService): readonly ServedRoute[] {
  return [
    serve(removeSession, async ({ params: { id }, query: { retire, forget, harvest } }) => {
      if (forget && harvest) throw new Problem(400, "Send one of harvest and forget.");
      const gone = await edits.remove(id, { retire, forget, harvest });
      return {
        deleted: true as const,
        retired: retire,
        ...gone,
        kept: { ...gone.kept, skills: [...gone.kept.skills] },
      };
    }),
    serve(rewindSession, async ({ params: { id }, body, requestKey }) => {
      const { keep, files: undo } = body;
      const { removed, files } = await edits.rewind(id, body.task_id, { keep, undo, key: requestKey });
      return { ok: true as const, removed, ...(undo && { files }) };
    }),
    serve(forkSession, async ({ params: { id }, body: { task_id: turn, title }, requestKey }) => {
      const from = { ...(turn !== undefined && { turn }), ...(title !== undefined && { title }) };
      return sessionOf(await edits.fork(id, from, requestKey));
    }),
    serve(regenerateAnswer, async ({ params: { id }, body: { model }, requestKey }) => {
      const task = await edits.regenerate(id, model === undefined ? {} : { model }, requestKey);
      return { ok: true as const, session_id: id, task_id: task };
    }),
    serve(askAgain, async ({ params: { id }, body: { task_id: turn, text, model }, requestKey }) => {
      const how = { ...(text !== undefined && { text }), ...(model !== undefined && { model }) };
      const { session, task } = await edits.addVersion(id, turn, how, requestKey);
      return { ok: true as const, session_id: session, task_id: task };
    }),
    serve(compactSession, async ({ params: { id }, signal, requestKey }) => {
      const { task, ...done } = await edits.compact(id, signal, requestKey);
      return { compacted: done.summarised > 0, task_id: task, ...done };
    }),
  ];
}
