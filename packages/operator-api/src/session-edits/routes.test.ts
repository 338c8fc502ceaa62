import { expect, it } from "vitest";
import { askRoutes } from "../testing/index.ts";
import { type SessionEditsService, sessionEditsRoutes } from "./routes.ts";

const RECORD = {
  ...{
    id: "f",
    title: "t",
    titled: true,
    pinned: false,
    incognito: false,
    origin: "chat",
    turns: 1,
    active: false,
    state: "completed" as const,
  },
  ...{ createdAt: 0, updatedAt: 0 },
};
const asked: unknown[] = [];
const service: SessionEditsService = {
  async remove(...args) {
    asked.push(args);
    return {
      harvested: args[1].harvest,
      forgotten: args[1].forget ? { chunks: 2, frames: 1, summaries: 0, sources: 0, attachments: 0 } : null,
      kept: { skills: ["ferns"], facts: 1 },
    };
  },
  rewind: async (...args) => ({ removed: asked.push(args), files: [{ project: "p", path: "a", result: "restored" }] }),
  fork: async (...args) => {
    asked.push(args);
    return RECORD;
  },
  regenerate: async (...args) => {
    asked.push(args);
    return "t2";
  },
  addVersion: async (...args) => {
    asked.push(args);
    return { session: "v", task: "t4" };
  },
  compact: async (id) => ({ task: "t3", message: `${id}: short`, summarised: 0, kept: 0 }),
};

const ask = askRoutes(sessionEditsRoutes(service));
async function call(edit: string, sent?: object) {
  const { status, body } = await ask("POST", `/api/chat/sessions/s/${edit}`, sent);
  return { status, body };
}
const remove = (query: string) => ask("DELETE", `/api/chat/sessions/s${query}`);

it("deletes and retires unless the session is to be kept, and says what was harvested and forgotten", async () => {
  asked.length = 0;
  const forgotten = { chunks: 2, frames: 1, summaries: 0, sources: 0, attachments: 0 };
  const gone = await remove("?forget=true");
  expect(gone).toMatchObject({ status: 200, body: { deleted: true, harvested: false, retired: true, forgotten } });
  expect((await remove("?harvest=true&forget=true")).status).toBe(400);
  expect((await remove("?retire=false")).body).toMatchObject({ retired: false, forgotten: null });
  expect((await remove("?harvest=true")).body).toMatchObject({ harvested: true, forgotten: null });
  expect((await remove("?retire=maybe")).status).toBe(422);
  expect(asked).toEqual([
    ["s", { retire: true, forget: true, harvest: false }],
    ["s", { retire: false, forget: false, harvest: false }],
    ["s", { retire: true, forget: false, harvest: true }],
  ]);
});

it("hands on what is asked of a conversation", async () => {
  asked.length = 0;
  expect(await call("rewind", { task_id: "t" })).toEqual({ status: 200, body: { ok: true, removed: 1 } });
  expect((await call("rewind", { task_id: "t", keep: false, files: true })).body).toMatchObject({
    files: [{ path: "a", result: "restored" }],
  });
  expect(await call("fork", { task_id: "t", title: " Branch " })).toMatchObject({
    status: 201,
    body: { session_id: "f" },
  });
  await call("fork");
  expect(await call("regenerate", { model: "m" })).toEqual({
    status: 202,
    body: { ok: true, session_id: "s", task_id: "t2" },
  });
  expect(await call("versions", { task_id: "t", text: "two", model: "m" })).toEqual({
    status: 202,
    body: { ok: true, session_id: "v", task_id: "t4" },
  });
  await call("versions", { task_id: "t" });
  expect((await call("versions", { task_id: "t", text: " \n" })).status).toBe(422);
  expect((await call("compact")).body).toMatchObject({ compacted: false, task_id: "t3", message: "s: short" });
  expect(asked).toEqual([
    ["s", "t", { keep: true, undo: false, key: undefined }],
    ["s", "t", { keep: false, undo: true, key: undefined }],
    ["s", { turn: "t", title: "Branch" }, undefined],
    ["s", {}, undefined],
    ["s", { model: "m" }, undefined],
    ["s", "t", { text: "two", model: "m" }, undefined],
    ["s", "t", {}, undefined],
  ]);
});
