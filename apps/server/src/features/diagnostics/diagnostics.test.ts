/** The log and the stored rows, for who looks for a fault (S5). */
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

describe("diagnostics", () => {
  it("returns the newest log lines without secrets", async () => {
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

  it("returns what is stored of a task, also where it cannot be read", async () => {
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
    expect((await get("/api/diagnostics/tasks/unknown")).status).toBe(404);
  });
});
