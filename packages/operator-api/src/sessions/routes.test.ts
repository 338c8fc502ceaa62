import type { SessionRecord, SessionTurn } from "@agent-service/agent-core/host";
import { expect, it } from "vitest";
import { Problem } from "../problem/index.ts";
import { askRoutes } from "../testing/index.ts";
import { type SessionsService, sessionsRoutes } from "./routes.ts";

const record: SessionRecord = {
  id: "a/b",
  title: "Hello",
  titled: false,
  pinned: false,
  incognito: false,
  origin: "chat",
  turns: 2,
  active: true,
  state: "parked",
  createdAt: 0,
  updatedAt: 1_500,
};
const turn: SessionTurn = {
  task: "t1",
  origin: "chat",
  state: "completed",
  createdAt: 0,
  updatedAt: 1_500,
  messages: [
    { from: "user", text: "Hello", files: [{ name: undefined, mediaType: "image/png", id: "1.0", size: 9 }], at: 0 },
  ],
  answer: "Hi.",
  artifacts: [
    { kind: "data", data: { x: 1 }, mediaType: "application/json" },
    { kind: "component", component: { component: "table", props: {} } },
  ],
  note: undefined,
  failureCode: undefined,
  toolCalls: [{ id: "c", name: "calculator", args: "{}", title: "Added up", outcome: "ok", ms: 3 }],
  recalled: [{ chunk: 7, revision: 2, kind: "hit" }],
  thoughts: [{ text: "Hm.", truncated: false, callsBefore: 1, startedAt: 100, endedAt: 200 }],
  model: "demo",
  usage: { input: 5, output: 7, cacheRead: 0, cacheWrite: 0 },
  contextTokens: 5,
  costUsd: undefined,
  durationMs: 1_500,
  truncated: false,
  cut: true,
};

function routes(more: Partial<SessionsService>) {
  const refused = (): never => {
    throw new Error("not asked");
  };
  return askRoutes(
    sessionsRoutes({
      ...{
        list: refused,
        read: refused,
        rename: refused,
        pin: refused,
        turns: refused,
        file: refused,
        find: refused,
        markdown: refused,
        windowOf: refused,
      },
      ...more,
    }),
  );
}

it("pages by the service's cursors", async () => {
  const asked: unknown[] = [];
  const ask = routes({
    async list(limit, which) {
      asked.push([limit, which]);
      return { sessions: [record], next: { at: 1_500, no: 7 } };
    },
  });
  const { body } = await ask("GET", "/api/chat/sessions?limit=1&search=%20garden%20");
  expect(body).toEqual({
    sessions: [
      {
        session_id: "a/b",
        title: "Hello",
        pinned: false,
        incognito: false,
        active: true,
        turn_count: 2,
        created_at: "1970-01-01T00:00:00.000Z",
        last_updated: "1970-01-01T00:00:01.500Z",
        last_state: "input-required",
        origin: "chat",
      },
    ],
    next_cursor: expect.any(String),
  });
  await ask("GET", `/api/chat/sessions?search=&cursor=${(body as { next_cursor: string }).next_cursor}`);
  expect(asked).toEqual([
    [1, { search: " garden " }],
    [50, { after: { at: 1_500, no: 7 } }],
  ]);
  expect((await ask("GET", "/api/chat/sessions?cursor=MQ")).status).toBe(422);
});

it("returns a turn whole, and an export as it comes", async () => {
  const ask = routes({
    read: async () => record,
    turns: async () => ({ turns: [turn, { ...turn, model: "other", contextTokens: undefined }], next: undefined }),
    windowOf: (model) => (model === "demo" ? 80_000 : undefined),
    async *markdown() {
      yield "# Hello\n";
      yield "bye\n";
    },
  });
  const { body } = await ask("GET", "/api/chat/sessions/a%2Fb/turns");
  expect(body).toMatchObject({
    turns: [
      {
        task_id: "t1",
        history: [
          {
            text: "Hello",
            files: [{ name: null, media_type: "image/png", id: "1.0", size: 9 }],
            at: "1970-01-01T00:00:00.000Z",
          },
        ],
        text: "Hi.",
        artifacts: [{ kind: "data", media_type: "application/json" }, { kind: "component" }],
        usage: { prompt_tokens: 5, completion_tokens: 7, total_tokens: 12 },
        context_tokens: 5,
        context_window: 80_000,
        cost_usd: null,
        status: null,
        cut: true,
      },
      { context_tokens: null, context_window: null },
    ],
    next_cursor: null,
  });
  const exported = await ask("GET", "/api/chat/sessions/a%2Fb/export");
  expect([exported.headers.get("content-type"), exported.body]).toEqual([
    "text/markdown; charset=utf-8",
    "# Hello\nbye\n",
  ]);
});

it("finds a text, page after page", async () => {
  const asked: unknown[] = [];
  const ask = routes({
    async find(...what) {
      asked.push(what);
      return { matches: [{ task: "t1", count: 2 }], next: "t1" };
    },
  });
  const { body } = await ask("GET", "/api/chat/sessions/a%2Fb/find?text=%20ship%20");
  expect(body).toEqual({ matches: [{ task_id: "t1", count: 2 }], next_cursor: expect.any(String) });
  const { next_cursor } = body as { readonly next_cursor: string };
  await ask("GET", `/api/chat/sessions/a%2Fb/find?text=ship&cursor=${next_cursor}`);
  expect(asked).toEqual([
    ["a/b", "ship", undefined],
    ["a/b", "ship", "t1"],
  ]);
  expect((await ask("GET", "/api/chat/sessions/a%2Fb/find?text=%20")).status).toBe(422);
});

it("serves what was attached so that no browser runs it", async () => {
  const asked: unknown[] = [];
  const served = async (mediaType: string) => {
    const ask = routes({
      async file(place) {
        asked.push(place);
        return { name: "x", mediaType, bytes: new TextEncoder().encode("<script>") };
      },
    });
    const { headers, body } = await ask("GET", "/api/chat/sessions/a%2Fb/turns/t1/files/1.0");
    expect([headers.get("x-content-type-options"), headers.get("content-disposition"), body]).toEqual([
      "nosniff",
      "attachment",
      "<script>",
    ]);
    expect(headers.get("content-security-policy")).toContain("sandbox");
    return headers.get("content-type");
  };
  expect(await served("image/JPG")).toBe("image/jpeg");
  expect(await served("text/html")).toBe("text/plain; charset=utf-8");
  expect(await served("image/svg+xml")).toBe("application/octet-stream");
  expect(asked[0]).toEqual({ session: "a/b", task: "t1", file: "1.0" });
});

it("takes a title or none, and refuses a blank one", async () => {
  const titles: unknown[] = [];
  const ask = routes({
    async rename(id, title) {
      titles.push([id, title]);
      return record;
    },
  });
  for (const title of [" Garden ", null]) await ask("PATCH", "/api/chat/sessions/a%2Fb", { title });
  expect(titles).toEqual([
    ["a/b", "Garden"],
    ["a/b", null],
  ]);
  for (const body of [{ title: " " }, {}, { title: "x".repeat(201) }]) {
    expect((await ask("PATCH", "/api/chat/sessions/a", body)).status).toBe(422);
  }
});

it("pins before it renames, for a refusal leaves all as it was, and lists the pinned or the others", async () => {
  const asked: unknown[] = [];
  const ask = routes({
    async list(_, which) {
      asked.push(which);
      return { sessions: [], next: undefined };
    },
    async pin(id, pinned) {
      asked.push([id, pinned]);
      if (pinned) throw new Problem(409, { code: "too_many_pinned", message: "Too many." });
      return record;
    },
    read: async () => record,
  });
  expect((await ask("PATCH", "/api/chat/sessions/a", { title: "New", pinned: true })).status).toBe(409);
  expect((await ask("PATCH", "/api/chat/sessions/a", { pinned: false })).status).toBe(200);
  await ask("GET", "/api/chat/sessions?pinned=true");
  await ask("GET", "/api/chat/sessions?pinned=false");
  expect(asked).toEqual([["a", true], ["a", false], { pinned: true }, { pinned: false }]);
});

it("answers an export of no session before it begins", async () => {
  const ask = routes({
    read: () => Promise.reject(new Problem(404, { code: "not_found", message: "There is no such session." })),
  });
  expect(await ask("GET", "/api/chat/sessions/x/export")).toMatchObject({
    status: 404,
    body: { detail: { code: "not_found" } },
  });
});
