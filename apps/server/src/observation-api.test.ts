/** What the agent did, read afterwards: tasks, their timelines, diagnostics (document 2; rulings O3 to O5, S5). */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestService, type TestService } from "./test-service.ts";
import { followEvents, type Json } from "./testing/index.ts";

const TOKEN = "the-operators-token";
const CONFIG = `
providers: [{ id: main, type: scripted }]
model: { name: "main:demo" }
auth: { token: ${TOKEN}, federation_token: the-federations-token }
`;
const operator = { authorization: `Bearer ${TOKEN}` };

let running: TestService;
beforeAll(async () => {
  running = await startTestService({ config: CONFIG });
});
afterAll(() => running.stop());

async function get(path: string): Promise<{ status: number; body: Json }> {
  const response = await fetch(running.url + path, { headers: operator });
  return { status: response.status, body: (await response.json()) as Json };
}

/** Every page of a list, in order. */
async function all(path: string, key: string): Promise<Json[]> {
  const found: Json[] = [];
  for (let cursor = ""; ; ) {
    const { status, body } = await get(`${path}${cursor}`);
    expect(status).toBe(200);
    found.push(...body[key]);
    if (body.next_cursor === null) return found;
    cursor = `&cursor=${body.next_cursor}`;
  }
}

describe("tasks", () => {
  it("are listed by state, origin, session and class, and page (ruling O5)", async () => {
    const wire = running.wireAs(operator);
    for (const text of ["one", "two", '/call ask_human {"question": "Which?"}'])
      await wire.say(text, { contextId: "c-1" });
    await running.wireAs({ authorization: "Bearer the-federations-token" }).say("hello", { contextId: "c-1" });
    const tasks = await all("/api/a2a/tasks?limit=2", "tasks");
    expect(tasks.map(({ class: caller, state, input }) => [caller, state, input])).toEqual([
      ["federation", "completed", "hello"],
      ["operator", "input-required", expect.stringContaining("ask_human")],
      ["operator", "completed", "two"],
      ["operator", "completed", "one"],
    ]);
    expect(tasks[3]).toMatchObject({
      ...{
        session_id: "c-1",
        origin: "a2a",
        parent_task_id: null,
        parent_call_id: null,
        model_calls: 1,
        tool_calls: 0,
        cost_usd: null,
      },
      usage: { input_tokens: expect.any(Number) },
      duration_ms: expect.any(Number),
    });
    const counts = async (query: string) => (await all(`/api/a2a/tasks?${query}`, "tasks")).length;
    expect(await counts("state=completed")).toBe(3);
    expect(await counts("state=working")).toBe(0);
    expect(await counts("origin=a2a&class=operator")).toBe(3);
    expect(await counts("origin=chat")).toBe(0);
    expect(await counts("session_id=c-1&state=input-required")).toBe(1);
    expect((await get("/api/a2a/tasks?state=queued")).status).toBe(422);
  });

  it("tell what happened, event by event, either way round, without secrets (ruling S5)", async () => {
    const wire = running.wireAs(operator);
    const args = JSON.stringify({ expression: "1 + 1", note: TOKEN });
    await wire.say(`/call calculator ${args}`, { contextId: "c-2" });
    const [task] = await all("/api/a2a/tasks?session_id=c-2", "tasks");
    const path = `/api/a2a/tasks/${task!.task_id}/journal`;
    const events = await all(`${path}?order=oldest`, "events");
    expect(events.map(({ kind }) => kind)).toEqual([
      ...["accepted", "model_started", "model_finished", "tool_started", "tool_finished"],
      ...["model_started", "model_finished", "answer", "completed"],
    ]);
    const [, , asked, started, finished] = events;
    expect(asked).toMatchObject({
      finish: "tool-calls",
      tool_calls: [{ tool: "calculator" }],
      usage: { output_tokens: expect.any(Number) },
    });
    expect(started).toMatchObject({ tool: "calculator", call_id: finished!.call_id, truncated: false });
    expect(started!.args).toContain('"1 + 1"');
    expect(JSON.stringify(events)).not.toContain(TOKEN);
    expect(finished).toMatchObject({ duration_ms: expect.any(Number), outcome: expect.any(String) });
    expect(events.at(-1)).toMatchObject({ state: "completed", usage: { input_tokens: task!.usage.input_tokens } });
    for (const limit of [1, 4, 200]) {
      expect(await all(`${path}?limit=${limit}&order=oldest`, "events")).toEqual(events);
      expect(await all(`${path}?limit=${limit}`, "events")).toEqual(events.toReversed());
    }
    expect((await get(path)).body.task).toEqual(task);
    expect(await get("/api/a2a/tasks/nobody/journal")).toMatchObject({
      status: 404,
      body: { detail: expect.any(String) },
    });
  });
});

describe("diagnostics", () => {
  it("tells the newest log lines without secrets", async () => {
    for (let n = 0; n < 3; n++) running.service.log.error({ n, given: TOKEN }, `line ${n} of ${TOKEN}`);
    const { body } = await get("/api/diagnostics/logs?lines=2");
    expect(body).toEqual({
      enabled: true,
      entries: [1, 2].map((n) => ({
        ...{ time: expect.any(String), level: "ERROR", message: `line ${n} of ***` },
        fields: { n, given: "***" },
      })),
    });
    expect((await get("/api/diagnostics/logs?lines=5000")).body.note).toContain("1000");
  });

  it("tells what is stored of a task, also where it cannot be read", async () => {
    const { core } = running.service;
    await running.wireAs(operator).say(`/say my ${TOKEN}`, { contextId: "c-3" });
    const [{ task_id: id }] = (await get("/api/a2a/tasks?session_id=c-3")).body.tasks;
    const whole = await get(`/api/diagnostics/tasks/${id}`);
    expect(whole).toMatchObject({
      status: 200,
      body: {
        state: "completed",
        context_id: "c-3",
        history: [{ role: "user", text: "/say my ***" }],
        accumulated_text: "",
      },
    });
    expect([whole.body.malformed, whole.body.truncated]).toEqual([undefined, undefined]);
    const spoil = (seq: number, body: string) => ({
      sql: "UPDATE event SET body = ? WHERE task = ? AND seq = ?",
      args: [body, id, seq],
    });
    await core.db.commit({ label: "test", statements: [spoil(1, "{"), spoil(3, '{"kind":"task.parked"}')] });
    const { status, body } = await get(`/api/diagnostics/tasks/${id}`);
    expect([status, body.state, body.history]).toEqual([200, "completed", []]);
    expect(body.malformed).toEqual(["event 1: it is not JSON", "event 3: it has not the form of an event"]);
    expect((await get("/api/diagnostics/tasks/nobody")).status).toBe(404);
  });
});

it("keeps the console's theme, and tells that it changed", async () => {
  const events = await followEvents(running.url, { headers: operator });
  const headers = { ...operator, "content-type": "application/json" };
  const put = await fetch(`${running.url}/api/theme`, { method: "PUT", headers, body: '{"theme":{"accent":"red"}}' });
  expect(put.status).toBe(200);
  await events.until(({ topic }) => topic === "theme.changed");
  await events.close();
  expect((await get("/api/theme")).body).toEqual({ theme: { accent: "red" } });
  expect((await fetch(`${running.url}/api/theme`, { method: "DELETE", headers })).status).toBe(200);
  expect((await get("/api/theme")).body).toEqual({ theme: null });
  expect((await get("/api/acp-agents")).body.agents).toEqual(expect.any(Array));
});
