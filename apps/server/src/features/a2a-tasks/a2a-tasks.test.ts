/** What the agent did, read afterwards: tasks and their timelines (O3 to O5, S5). */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Json } from "../../testing/index.ts";
import { startTestService, type TestService } from "../../testing/test-service.ts";

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
  it("are listed by state, origin, session and class, and page (O5)", async () => {
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

  it("are found by the words of what was asked and answered, in pages, and incognito ones never", async () => {
    const wire = running.wireAs(operator);
    await wire.say("Wie geht es der Möwe?\n/say Sie fliegt nach Süden.", { contextId: "c-3" });
    await wire.say("gulls again\n/say sÜden", { contextId: "c-3" });
    await fetch(`${running.url}/api/chat`, {
      method: "POST",
      headers: { ...operator, "content-type": "application/json" },
      body: JSON.stringify({ message: "suden in secret", session_id: "c-4", incognito: true }),
    });
    const found = async (search: string, more = "limit=1") =>
      (await all(`/api/a2a/tasks?${more}&search=${encodeURIComponent(search)}`, "tasks")).map(({ input }) =>
        input.slice(0, 5),
      );
    expect(await found("suden")).toEqual(["gulls", "Wie g"]);
    expect(await found("MÖWE fliegt")).toEqual(["Wie g"]);
    expect(await found("Möwe gulls")).toEqual([]);
    expect(await found("suden", "state=failed")).toEqual([]);
    expect(await found("secret")).toEqual([]);
    // Without a word the list is whole.
    expect((await found("  ", "session_id=c-3")).length).toBe(2);
    expect((await get(`/api/a2a/tasks?search=${"x".repeat(1_001)}`)).status).toBe(422);
  });

  it("are found by the model that answered and by a tool they called, within the other filters (O5)", async () => {
    const wire = running.wireAs(operator);
    const calculate = '/call calculator {"expression": "2 + 3"}';
    await wire.say(calculate, { contextId: "c-5" });
    await wire.say("without a tool", { contextId: "c-5" });
    await running.wireAs({ authorization: "Bearer the-federations-token" }).say(calculate, { contextId: "c-5" });
    await fetch(`${running.url}/api/chat`, {
      method: "POST",
      headers: { ...operator, "content-type": "application/json" },
      body: JSON.stringify({ message: `${calculate} secretly`, session_id: "c-6", incognito: true }),
    });
    const found = async (query: string) =>
      (await all(`/api/a2a/tasks?limit=1&${query}`, "tasks")).map(({ class: of, session_id, input }) => [
        ...[of, session_id, input.slice(0, 5)],
      ]);
    expect(await found("tool=calculator&session_id=c-5")).toEqual([
      ["federation", "c-5", "/call"],
      ["operator", "c-5", "/call"],
    ]);
    expect(await found("tool=calculator&session_id=c-5&class=federation")).toHaveLength(1);
    expect(await found("tool=calculator&session_id=c-5&search=without")).toEqual([]);
    expect(await found("model=demo&session_id=c-5&search=without")).toEqual([["operator", "c-5", "witho"]]);
    expect(await found("model=demo&session_id=c-5&state=failed")).toEqual([]);
    expect(await found("model=demo&state=working")).toEqual([]);
    expect(await found("model=demo&tool=calculator&session_id=c-5")).toHaveLength(2);
    expect(await found("model=another")).toEqual([]);
    expect(await found("tool=constructor")).toEqual([]);
    // As the list without such a filter shows it: that it was, and not what was said.
    const [incognito] = await all("/api/a2a/tasks?tool=calculator&session_id=c-6", "tasks");
    expect(incognito).toEqual((await all("/api/a2a/tasks?session_id=c-6", "tasks"))[0]);
    expect(JSON.stringify(incognito)).not.toContain("secretly");
    const waits = '/call ask_human {"question": "Which?"}';
    await wire.say(waits, { contextId: "c-7" });
    expect(await found("model=demo&session_id=c-7&state=input-required")).toHaveLength(1);
    expect((await get(`/api/a2a/tasks?tool=${"x".repeat(513)}`)).status).toBe(422);
  });

  it("cannot be asked for by model or tool while telemetry is off", async () => {
    const off = await startTestService({ config: "telemetry: {enabled: false}\n" });
    try {
      const response = await fetch(`${off.url}/api/a2a/tasks?model=demo`);
      expect(response.status).toBe(409);
      expect(await response.json()).toMatchObject({ detail: expect.stringContaining("Telemetry is off") });
      expect((await fetch(`${off.url}/api/a2a/tasks`)).status).toBe(200);
    } finally {
      await off.stop();
    }
  });

  it("list what happened, event by event, in either order, without secrets (S5)", async () => {
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
    expect(await get("/api/a2a/tasks/unknown/journal")).toMatchObject({
      status: 404,
      body: { detail: expect.any(String) },
    });
  });
});
