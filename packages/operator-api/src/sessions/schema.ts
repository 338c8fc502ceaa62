import type { SessionRecord, SessionTurn } from "@agent-service/agent-core/host";
import * as v from "valibot";
import type { Frozen } from "../route/index.ts";
import { a2aStateOf, taskStateSchema } from "../task-state/index.ts";

const time = v.pipe(v.string(), v.description("ISO-8601, UTC."));

/** A session (B33). */
export const sessionSchema = v.object({
  session_id: v.string(),
  title: v.pipe(
    v.string(),
    v.description("As it was given, else by a model (`sessions.titles`), else the start of the first message."),
  ),
  pinned: v.pipe(v.boolean(), v.description("It is kept on top of the list.")),
  incognito: v.pipe(
    v.boolean(),
    v.description(
      "It began incognito: all of its turns are, no list shows a text of it, and nothing of it stays once it is deleted, twelve hours after its last message, or once the service restarts.",
    ),
  ),
  active: v.pipe(v.boolean(), v.description("A turn runs or waits in it now, from any surface.")),
  turn_count: v.number(),
  created_at: time,
  last_updated: time,
  last_state: v.pipe(taskStateSchema, v.description("Of the turn that changed last.")),
  origin: v.pipe(v.string(), v.description("What its first turn came from: `chat`, `a2a`, `v1`, `schedule`…")),
  version_of: v.optional(
    v.pipe(
      v.string(),
      v.description("The conversation it is a version of, which is listed for it; absent: it is listed itself."),
    ),
  ),
  latest_version: v.optional(
    v.pipe(
      v.string(),
      v.description("Of the conversation's versions the one with the newest turn; absent: there is one only."),
    ),
  ),
  forked_from: v.optional(
    v.pipe(
      v.object({
        session_id: v.string(),
        task_id: v.pipe(v.string(), v.description("The last turn it took along.")),
        title: v.pipe(v.nullable(v.string()), v.description("Null where that conversation was deleted.")),
      }),
      v.description("The conversation it was forked off; not in lists."),
    ),
  ),
  out_of_sight: v.optional(
    v.pipe(
      v.object({
        messages: v.number(),
        summarised: v.pipe(v.boolean(), v.description("A summary replaces them, or the older of them.")),
      }),
      v.description("What is stored and not shown to the model any more, for the conversation is long; not in lists."),
    ),
  ),
});

const artifactSchema = v.variant("kind", [
  v.object({ kind: v.literal("data"), data: v.unknown(), media_type: v.string() }),
  v.object({ kind: v.literal("component"), component: v.unknown() }),
]);

/** A turn of a session. */
export const sessionTurnSchema = v.object({
  task_id: v.string(),
  origin: v.string(),
  state: taskStateSchema,
  created_at: time,
  last_updated: time,
  history: v.pipe(
    v.array(
      v.object({
        role: v.picklist(["user", "agent"]),
        text: v.string(),
        files: v.pipe(
          v.array(
            v.object({
              name: v.pipe(v.nullable(v.string()), v.description("Null where it has none.")),
              media_type: v.string(),
              id: v.pipe(
                v.nullable(v.string()),
                v.description("Under which its content is read; null once that is not kept any more."),
              ),
              size: v.pipe(v.nullable(v.number()), v.description("Bytes; null where it is not known.")),
            }),
          ),
          v.description("What went along."),
        ),
        at: time,
      }),
    ),
    v.description("The messages to the agent and its questions, in order."),
  ),
  text: v.pipe(
    v.string(),
    v.description(
      "The answer; empty while there is none. Of a turn that was stopped or failed, the text streamed before; kept for a day.",
    ),
  ),
  artifacts: v.pipe(v.array(artifactSchema), v.description("What the answer holds beside text.")),
  status: v.pipe(v.nullable(v.string()), v.description("Why it failed, or what limit cut it.")),
  failure_code: v.optional(
    v.pipe(v.string(), v.description("Of a turn that failed: why, as a stable code, such as `model_unauthorized`.")),
  ),
  tool_calls: v.array(
    v.object({
      call_id: v.string(),
      name: v.string(),
      args: v.pipe(
        v.nullable(v.string()),
        v.description("JSON, the first 800 characters; null where they were removed."),
      ),
      title: v.pipe(v.nullable(v.string()), v.description("What it did, in the tool's words; null where it has none.")),
      outcome: v.string(),
      duration_ms: v.number(),
      approval_skipped: v.pipe(
        v.nullable(v.object({ by: v.picklist(["bypass", "rule", "grant"]), rule: v.nullable(v.string()) })),
        v.description(
          "Why no person was asked who would have been: the turn waived it (`bypass`), the settings allow it (`rule`), or it was approved for the future (`grant`).",
        ),
      ),
      images: v.optional(
        v.pipe(
          v.array(v.object({ id: v.string(), media_type: v.string(), size: v.number() })),
          v.description("Of its result: png, jpeg, gif or webp. Their contents are read by `id` as those of files."),
        ),
      ),
    }),
  ),
  thoughts: v.pipe(
    v.array(
      v.object({
        text: v.pipe(v.string(), v.description("The first 8,000 characters.")),
        truncated: v.boolean(),
        calls_before: v.pipe(v.number(), v.description("How many of `tool_calls` come before it.")),
        started_at: time,
        ended_at: time,
      }),
    ),
    v.description("What the model thought, step by step; kept until a day after the turn ended."),
  ),
  recalled: v.optional(
    v.pipe(
      v.array(
        v.object({
          chunk_id: v.number(),
          revision: v.number(),
          kind: v.pipe(
            v.picklist(["always", "hit"]),
            v.description("`always`: every conversation is shown it; `hit`: it fits the message."),
          ),
        }),
      ),
      v.description("The memories that the turn was shown, without those that were in sight before; absent: none."),
    ),
  ),
  model: v.pipe(v.nullable(v.string()), v.description("The one that answered last.")),
  usage: v.pipe(
    v.nullable(v.object({ prompt_tokens: v.number(), completion_tokens: v.number(), total_tokens: v.number() })),
    v.description("While it runs, of the model calls that ended; null before the first."),
  ),
  context_tokens: v.pipe(v.nullable(v.number()), v.description("What its last model call was given.")),
  context_window: v.pipe(
    v.nullable(v.number()),
    v.description("Tokens that the model takes now, by its connection; null: not known."),
  ),
  cost_usd: v.pipe(v.nullable(v.number()), v.description("US dollars, estimated; null where a price is not known.")),
  duration_ms: v.pipe(v.nullable(v.number()), v.description("Null until it ended.")),
  truncated: v.pipe(v.boolean(), v.description("A text in it is longer than what is returned here.")),
  cut: v.optional(
    v.pipe(v.boolean(), v.description("True where the answer ended at a limit of its length, so that it can go on.")),
  ),
  versions: v.optional(
    v.pipe(
      v.array(v.object({ session_id: v.string(), task_id: v.string() })),
      v.description(
        "The turns that the conversation has in this place, this one included, oldest first, each with the session that shows it; absent: this one alone.",
      ),
    ),
  ),
});

function iso(at: number): string {
  return new Date(at).toISOString();
}

/** A session on the wire. */
export function sessionOf(record: SessionRecord): v.InferInput<typeof sessionSchema> {
  return {
    session_id: record.id,
    title: record.title,
    pinned: record.pinned,
    incognito: record.incognito,
    active: record.active,
    turn_count: record.turns,
    created_at: iso(record.createdAt),
    last_updated: iso(record.updatedAt),
    last_state: a2aStateOf(record.state),
    origin: record.origin,
    ...(record.versionOf !== undefined && { version_of: record.versionOf }),
    ...(record.latestVersion !== undefined && { latest_version: record.latestVersion }),
    ...(record.forkedFrom && {
      forked_from: {
        session_id: record.forkedFrom.session,
        task_id: record.forkedFrom.turn,
        title: record.forkedFrom.title ?? null,
      },
    }),
    ...(record.outOfSight === undefined
      ? {}
      : { out_of_sight: { messages: record.outOfSight, summarised: record.summarised ?? false } }),
  };
}

/** A turn on the wire. `windowOf`: the context window of a model in tokens, where it is known. */
export function turnOf(
  turn: SessionTurn,
  windowOf: (model: string) => number | undefined,
): Frozen<v.InferInput<typeof sessionTurnSchema>> {
  const { usage } = turn;
  return {
    task_id: turn.task,
    origin: turn.origin,
    state: a2aStateOf(turn.state),
    created_at: iso(turn.createdAt),
    last_updated: iso(turn.updatedAt),
    history: turn.messages.map(({ from, text, files, at }) => ({
      ...{ role: from, text, at: iso(at) },
      files: files.map(({ name, mediaType, id, size }) => ({
        ...{ name: name ?? null, media_type: mediaType, id: id ?? null, size: size ?? null },
      })),
    })),
    text: turn.answer,
    artifacts: turn.artifacts.map((artifact) =>
      artifact.kind === "data"
        ? { kind: "data", data: artifact.data, media_type: artifact.mediaType }
        : { kind: "component", component: artifact.component },
    ),
    status: turn.note ?? null,
    ...(turn.failureCode !== undefined && { failure_code: turn.failureCode }),
    tool_calls: turn.toolCalls.map(({ id, name, args = null, title = null, outcome, ms, skipped, images }) => {
      const approval_skipped = skipped === undefined ? null : { by: skipped.by, rule: skipped.rule ?? null };
      const shown = images?.map((image) => ({ id: image.id, media_type: image.mediaType, size: image.bytes }));
      const call = { call_id: id, name, args, title, outcome, duration_ms: ms, approval_skipped };
      return { ...call, ...(shown !== undefined && { images: shown }) };
    }),
    thoughts: turn.thoughts.map(({ text, truncated, callsBefore, startedAt, endedAt }) => {
      return { text, truncated, calls_before: callsBefore, started_at: iso(startedAt), ended_at: iso(endedAt) };
    }),
    ...(turn.recalled.length > 0 && {
      recalled: turn.recalled.map(({ chunk, revision, kind }) => ({ chunk_id: chunk, revision, kind })),
    }),
    model: turn.model ?? null,
    usage: usage ? usageOf(usage) : null,
    context_tokens: turn.contextTokens ?? null,
    context_window: (turn.model === undefined ? undefined : windowOf(turn.model)) ?? null,
    cost_usd: turn.costUsd ?? null,
    duration_ms: turn.durationMs ?? null,
    truncated: turn.truncated,
    ...(turn.cut && { cut: true }),
    ...(turn.versions && {
      versions: turn.versions.map(({ session, task }) => ({ session_id: session, task_id: task })),
    }),
  };
}

/** Tokens on the wire. */
export function usageOf({ input, output }: { readonly input: number; readonly output: number }) {
  return { prompt_tokens: input, completion_tokens: output, total_tokens: input + output };
}
