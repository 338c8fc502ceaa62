/** The task board, the inbox and the activity feed through HTTP and the agent's own tools (document 2; rulings O4, O5, S3). */
import { openDatabase } from "@agent-service/agent-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestService, type TestService } from "./test-service.ts";
import { temporaryFolders } from "./testing/index.ts";

let running: TestService;
const heard: { topic: string; data: Record<string, unknown>; shown: unknown }[] = [];
const listening = new AbortController();
beforeAll(async () => {
  running = await startTestService({ config: "auth: {token: the-operators, federation_token: a-peers}\n" });
  const pages = running.service.core.bus.follow(undefined, listening.signal);
  void (async () => {
    for await (const page of pages)
      for (const { text, publicText } of page)
        heard.push({ ...JSON.parse(text), shown: publicText === undefined ? undefined : JSON.parse(publicText).data });
  })();
});
afterAll(async () => {
  listening.abort();
  await running.stop();
});

interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: what was answered; every answer is held against its schema by the service
  readonly body: any;
}

async function ask(method: string, path: string, body?: unknown, token = "the-operators"): Promise<Answer> {
  const response = await fetch(running.url + path, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { "content-type": "application/json" }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}

async function say(text: string, token = "the-operators"): Promise<string> {
  const wire = running.wireAs({ authorization: `Bearer ${token}` });
  const task = await wire.say(text);
  return JSON.stringify(task);
}

describe("the task board", () => {
  it("is made when it is first wanted", async () => {
    expect(await ask("POST", "/api/tasks/init", { prefix: "bd", project_path: "/x" })).toEqual({
      status: 200,
      body: { initialized: true, already_initialized: false },
    });
    expect((await ask("POST", "/api/tasks/init")).body.already_initialized).toBe(true);
    expect((await ask("GET", "/api/tasks/status")).body).toEqual({ initialized: true });
  });

  it("creates, changes, closes and deletes issues", async () => {
    const { body } = await ask("POST", "/api/tasks/issues", { title: " Renew it ", type: "chore", priority: 1 });
    expect(body.issue).toMatchObject({
      id: "task-1",
      title: "Renew it",
      status: "open",
      priority: 1,
      issue_type: "chore",
      session_id: null,
      closed_at: null,
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    const path = "/api/tasks/issues/task-1";
    expect((await ask("PATCH", path, { status: "blocked", assignee: "me" })).body.issue).toMatchObject({
      status: "blocked",
      assignee: "me",
      title: "Renew it",
    });
    expect((await ask("POST", `${path}/close`, { reason: "done" })).body.issue).toMatchObject({
      status: "closed",
      close_reason: "done",
      closed_at: expect.any(String),
    });
    expect((await ask("POST", `${path}/close`)).body.issue.close_reason).toBe("done");
    expect((await ask("GET", path)).body.issue.status).toBe("closed");
    expect(await ask("DELETE", path)).toEqual({ status: 200, body: { deleted: true } });
    for (const [method, where] of [
      ["GET", path],
      ["PATCH", path],
      ["POST", `${path}/close`],
      ["DELETE", path],
      ["GET", "/api/tasks/issues/nonsense"],
    ] as const)
      expect((await ask(method, where, method === "PATCH" ? { title: "x" } : undefined)).status).toBe(404);
  });

  it("refuses an unknown status or type, and changes nothing (ruling O4)", async () => {
    for (const body of [{ title: "x", type: "story" }, { title: " " }, { title: "x", priority: 4 }, {}])
      expect((await ask("POST", "/api/tasks/issues", body)).status).toBe(422);
    expect((await ask("GET", "/api/tasks/issues?status=wip")).status).toBe(422);
    expect((await ask("GET", "/api/tasks/issues")).body.issues).toEqual([]);
  });

  it("is the agent's too, and no peer's (ruling A16)", async () => {
    await say('/call task_create {"title":"from the agent","priority":0}');
    await say('/call task_create {"title":"second"}');
    expect(await say('/call task_create {"title":"spam"}', "a-peers")).toContain("there is no tool named");
    const first = (await ask("GET", "/api/tasks/issues?limit=1")).body;
    expect(first.issues).toMatchObject([{ title: "second", session_id: expect.any(String) }]);
    const next = (await ask("GET", `/api/tasks/issues?limit=1&cursor=${first.next_cursor}`)).body;
    expect(next.issues).toMatchObject([{ title: "from the agent", priority: 0 }]);
    expect(next.next_cursor).toBeNull();
    const { id } = next.issues[0];
    expect(await say("/call task_list {}")).toContain(`${id} [open, priority 0, task] from the agent`);
    expect(await say(`/call task_close {"issue_id":"${id}","reason":"did it"}`)).toContain("closed");
    expect(await say('/call task_update {"issue_id":"task-77","status":"open"}')).toContain(
      "there is no issue task-77",
    );
    expect((await ask("GET", "/api/tasks/issues?status=closed")).body.issues).toMatchObject([
      { close_reason: "did it" },
    ]);
    expect(heard.filter(({ topic }) => topic === "board.changed").at(-1)).toMatchObject({
      data: { id, action: "closed" },
      shown: undefined,
    });
  });
});

describe("the inbox and what comes of it", () => {
  it("refuses what says nothing and priorities there are not", async () => {
    for (const body of [{ text: " " }, { text: "x", priority: "soon" }])
      expect((await ask("POST", "/api/inbox", body)).status).toBe(400);
    expect((await ask("POST", "/api/inbox", { text: "x".repeat(16_001) })).status).toBe(422);
    expect((await ask("GET", "/api/inbox?floor=never")).status).toBe(422);
    for (const id of ["99", "x"]) expect((await ask("POST", `/api/inbox/${id}/deliver`)).status).toBe(404);
    expect((await ask("POST", "/api/inbox", { text: "x" }, "a-peers")).status).toBe(403);
  });

  it("keeps an item until the agent looks, and hands it out once", async () => {
    const item = { text: "Read the report", source: "mail", dedup_key: "report" };
    const { body } = await ask("POST", "/api/inbox", item);
    expect(body).toMatchObject({ ok: true, fired: false, item: { ...item, priority: "next", delivered_at: null } });
    expect((await ask("POST", "/api/inbox", item)).body).toMatchObject({ deduped: true, item: { id: body.item.id } });
    await ask("POST", "/api/inbox", { text: "No hurry", priority: "later" });
    const list = async (query: string) =>
      (await ask("GET", `/api/inbox?${query}`)).body.items.map(({ text }: { text: string }) => text);
    expect(await list("")).toEqual(["No hurry", "Read the report"]);
    expect(await list("floor=next")).toEqual(["Read the report"]);
    expect(await say("/call check_inbox {}")).toContain("priority next, from mail]\\nRead the report");
    expect(await say("/call check_inbox {}")).toContain("The inbox is empty.");
    expect(await list("")).toEqual(["No hurry"]);
    expect(await list("include_delivered=true")).toEqual(["No hurry", "Read the report"]);
    expect(await say("/call check_inbox {}", "a-peers")).toContain("there is no tool named");
  });

  it("starts a turn with what cannot wait, and tells why it ran", async () => {
    const { body } = await ask("POST", "/api/inbox", { text: "/say on it", priority: "now", source: "ci" });
    expect(body).toMatchObject({ fired: true, item: { delivered_at: expect.any(String) } });
    const later = (await ask("GET", "/api/inbox?floor=later")).body.items[0];
    const delivered = (await ask("POST", `/api/inbox/${later.id}/deliver`)).body;
    expect(delivered).toMatchObject({ ok: true, delivered: 1 });
    expect((await ask("POST", `/api/inbox/${later.id}/deliver`)).body).toEqual({ ok: true, delivered: 0 });
    await running.service.core.service.runner.idle(5_000);
    const feed = (await ask("GET", "/api/activity")).body;
    expect(feed.context_id).toBe("system:activity");
    expect(feed.entries).toMatchObject([
      { id: delivered.task_id, origin: "inbox", trigger: `inbox:${later.id}`, priority: "later", state: "completed" },
      {
        task_id: body.task_id,
        trigger: `inbox:${body.item.id}`,
        priority: "now",
        text: expect.stringMatching(/on it$/),
      },
    ]);
    expect(feed.messages.map(({ role }: { role: string }) => role)).toEqual(["user", "assistant", "user", "assistant"]);
    expect(feed.messages[1].content).toBe(feed.entries[1].text);
    const older = (await ask("GET", "/api/activity?limit=1")).body;
    expect((await ask("GET", `/api/activity?cursor=${older.next_cursor}`)).body).toMatchObject({
      entries: [{ id: body.task_id }],
      next_cursor: null,
    });
    const told = heard.filter(({ topic, data }) => topic === "activity.message" && data.id === body.task_id);
    expect(told.map(({ data }) => [data.role, data.state])).toEqual([
      ["user", "working"],
      ["assistant", "completed"],
    ]);
    expect(told[0]?.shown).toEqual({ id: body.task_id, origin: "inbox", priority: "now", state: "working" });
    const added = heard.filter(({ topic }) => topic === "inbox.added").at(-1);
    expect(added?.shown).toEqual({ id: body.item.id, origin: "inbox", priority: "now", state: "waiting" });
    expect(added?.data.text).toBe("/say on it");
  });
});

/** A board that a version of the future has migrated. */
async function newerBoard(path: string): Promise<void> {
  const db = await openDatabase({ url: `file:${path}`, schema: "board", owner: { name: "a later version" } });
  const sql = "INSERT INTO schema_migration (number, name, checksum, applied_at) VALUES (999, '0999_later', 'x', 0)";
  await db.commit({ label: "test", statements: [{ sql, args: [] }] });
  await db.close();
}

it.each([
  ["agent-config.yaml/issues.db", "its folder cannot be made (EEXIST)", async () => {}],
  ["newer.db", "newer.db: the store was written by a newer version", newerBoard],
])("does the rest without a task store, and says why there is none (document 2): %s", async (file, why, prepare) => {
  const folders = temporaryFolders();
  folders.configure("");
  const path = `${folders.config}/${file}`;
  await prepare(path);
  await using bare = await startTestService({ folders, env: { TASKS_DB_PATH: path } });
  const get = async (where: string) => {
    const response = await fetch(bare.url + where);
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  const because = expect.stringContaining(why);
  expect(await get("/api/tasks/status")).toEqual({ status: 200, body: { initialized: false, error: because } });
  expect(await get("/api/tasks/issues")).toEqual({ status: 503, body: { detail: because } });
  const init = await fetch(`${bare.url}/api/tasks/init`, { method: "POST" });
  expect(init.status).toBe(503);
  expect(JSON.stringify(await bare.wire.say('/call task_create {"title":"x"}'))).toContain("Error:");
  expect((await get("/api/inbox")).status).toBe(200);
  await bare.stop();
  folders.remove();
});
