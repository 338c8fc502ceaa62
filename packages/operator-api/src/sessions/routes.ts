import type {
  FileContent,
  FilePlace,
  MatchPage,
  SessionFilter,
  SessionPage,
  SessionRecord,
  TurnPage,
  TurnRange,
} from "@agent-service/agent-core/host";
import * as v from "valibot";
import { cursorOf, pageFields, pageQuery } from "../paging/index.ts";
import { objectProblemSchema } from "../problem/index.ts";
import { defineRoute, json, type MediaBody, media, notBlank, type ServedRoute, serve } from "../route/index.ts";
import { sessionOf, sessionSchema, sessionTurnSchema, turnOf } from "./schema.ts";

const tag = "Sessions";
const params = { id: "The session: what A2A calls the context." };
const failures = { 404: { description: "There is no such session (`not_found`).", schema: objectProblemSchema } };

export const listSessions = defineRoute({
  name: "sessions.list",
  method: "GET",
  path: "/api/chat/sessions",
  tag,
  summary: "The conversations, last changed first",
  description:
    "A session is a context of the operator's on any surface. Conversations that agents have among themselves are not listed.",
  query: v.object({
    ...pageQuery(v.object({ at: v.number(), no: v.number() })).entries,
    pinned: v.optional(
      v.pipe(
        v.picklist(["true", "false"]),
        v.description(
          "`true`: those that are pinned, the last first, all of them; `false`: all others. Not with `search`.",
        ),
      ),
    ),
    search: v.optional(
      v.pipe(
        v.string(),
        v.maxLength(1000),
        v.description(
          "Words that all stand in the title or in one turn's messages to the agent, in any order and English inflection. Of words that are in more than 4,000 messages, the newest of those count.",
        ),
      ),
    ),
  }),
  reply: json(v.object({ sessions: v.array(sessionSchema), ...pageFields })),
});

export const readSession = defineRoute({
  name: "sessions.read",
  method: "GET",
  path: "/api/chat/sessions/{id}",
  tag,
  summary: "A conversation's record",
  params,
  reply: json(sessionSchema),
  failures,
});

export const editSession = defineRoute({
  name: "sessions.edit",
  method: "PATCH",
  path: "/api/chat/sessions/{id}",
  tag,
  summary: "Gives a conversation a title, or pins it",
  params,
  body: v.pipe(
    v.object({
      title: v.optional(
        v.pipe(
          v.nullable(notBlank(200, "The title is blank.")),
          v.description("Null: the start of the first message again."),
        ),
      ),
      pinned: v.optional(v.pipe(v.boolean(), v.description("Whether it is kept on top of the list; 50 can be."))),
    }),
    v.check(({ title, pinned }) => title !== undefined || pinned !== undefined, "Nothing is to be changed."),
  ),
  reply: json(sessionSchema),
  failures: {
    ...failures,
    409: { description: "Too many are pinned (`too_many_pinned`).", schema: objectProblemSchema },
  },
});

export const listSessionTurns = defineRoute({
  name: "sessions.turns",
  method: "GET",
  path: "/api/chat/sessions/{id}/turns",
  tag,
  summary: "A conversation's turns, newest first",
  description:
    "A page holds fewer turns than asked for where they are large; the list continues while there is a cursor.",
  params,
  query: pageQuery(v.string()),
  reply: json(v.object({ turns: v.array(sessionTurnSchema), ...pageFields })),
  failures,
});

export const findInSession = defineRoute({
  name: "sessions.find",
  method: "GET",
  path: "/api/chat/sessions/{id}/find",
  tag,
  summary: "Where a text occurs in a conversation, newest turn first",
  description:
    "Looks at messages, names of files, answers, components and notes of 200 turns at most; capitals and kinds of space make no difference. It continues while there is a cursor, also where a page holds no match.",
  params,
  query: v.object({
    text: notBlank(200, "A text to look for."),
    cursor: pageQuery(v.string()).entries.cursor,
  }),
  reply: json(
    v.object({
      matches: v.array(v.object({ task_id: v.string(), count: v.number() })),
      ...pageFields,
    }),
  ),
  failures,
});

export const readSessionFile = defineRoute({
  name: "sessions.file",
  method: "GET",
  path: "/api/chat/sessions/{id}/turns/{task_id}/files/{file_id}",
  tag,
  summary: "The content of a file that went with a message, or of an image of a tool's result",
  description:
    "A picture under its own type, anything else as plain text or as bytes: what was attached is never run. The content never changes.",
  params: {
    ...params,
    task_id: "The turn.",
    file_id: "The file, as its message names it (`id`), or the image, as its call does.",
  },
  reply: media("application/octet-stream"),
  failures: {
    404: {
      description: "There is no such file, or it is not kept any more (`not_found`).",
      schema: objectProblemSchema,
    },
  },
});

export const exportSession = defineRoute({
  name: "sessions.export",
  method: "GET",
  path: "/api/chat/sessions/{id}/export",
  tag,
  summary: "A conversation as a Markdown document, oldest turn first",
  params,
  reply: media("text/markdown; charset=utf-8"),
  failures,
});

/** Implemented by the service. Methods that name a session reject where there is none. */
export interface SessionsService {
  list(limit: number, which: SessionFilter): Promise<SessionPage>;
  read(id: string): Promise<SessionRecord>;
  rename(id: string, title: string | null): Promise<SessionRecord>;
  pin(id: string, pinned: boolean): Promise<SessionRecord>;
  turns(id: string, range: TurnRange): Promise<TurnPage>;
  find(id: string, text: string, after: string | undefined): Promise<MatchPage>;
  file(place: FilePlace): Promise<FileContent>;
  markdown(id: string): AsyncIterable<string>;
  /** The context window of a model in tokens; undefined where it is unknown. */
  windowOf(model: string): number | undefined;
}

export function sessionsRoutes(sessions: SessionsService): readonly ServedRoute[] {
  return [
    serve(listSessions, async ({ query: { limit, cursor, search, pinned } }) => {
      const which = {
        ...(cursor && { after: cursor }),
        ...(search?.trim() && { search }),
        ...(pinned !== undefined && { pinned: pinned === "true" }),
      };
      const page = await sessions.list(limit, which);
      return { sessions: page.sessions.map(sessionOf), next_cursor: cursorOf(page.next) };
    }),
    serve(readSession, async ({ params: { id } }) => sessionOf(await sessions.read(id))),
    serve(editSession, async ({ params: { id }, body: { title, pinned } }) => {
      // It may be refused: then nothing is changed.
      if (pinned !== undefined) await sessions.pin(id, pinned);
      return sessionOf(title === undefined ? await sessions.read(id) : await sessions.rename(id, title));
    }),
    serve(listSessionTurns, async ({ params: { id }, query: { limit, cursor } }) => {
      const page = await sessions.turns(id, { limit, after: cursor });
      return {
        turns: page.turns.map((turn) => turnOf(turn, (model) => sessions.windowOf(model))),
        next_cursor: cursorOf(page.next),
      };
    }),
    serve(findInSession, async ({ params: { id }, query: { text, cursor } }) => {
      const { matches, next } = await sessions.find(id, text, cursor);
      return { matches: matches.map(({ task, count }) => ({ task_id: task, count })), next_cursor: cursorOf(next) };
    }),
    serve(readSessionFile, async ({ params: { id: session, task_id: task, file_id } }) =>
      fileBody(await sessions.file({ session, task, file: file_id })),
    ),
    serve(exportSession, async ({ params: { id } }) => {
      // Before the answer begins: afterwards its status could not be 404 any more.
      await sessions.read(id);
      const headers = { "content-disposition": 'attachment; filename="session.md"' };
      return { body: ReadableStream.from(bytesOf(sessions.markdown(id))), headers };
    }),
  ];
}

/** Types that browsers show without running any of it. */
const PICTURE = /^image\/(png|jpeg|gif|webp)$/;

/** Saved rather than opened where someone follows its address: a person attached it, whoever made it. */
function fileBody({ mediaType, bytes }: FileContent): MediaBody {
  const type = mediaType.toLowerCase().replace("image/jpg", "image/jpeg");
  const shown = PICTURE.test(type)
    ? type
    : type.startsWith("text/")
      ? "text/plain; charset=utf-8"
      : "application/octet-stream";
  return {
    body: ReadableStream.from([bytes]),
    headers: {
      "content-type": shown,
      "content-disposition": "attachment",
      "content-security-policy": "default-src 'none'; sandbox",
      "x-content-type-options": "nosniff",
    },
  };
}

async function* bytesOf(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for await (const text of texts) yield encoder.encode(text);
}
