/** Steering over the operator API (B33; R8). */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Json, waitingTool } from "../../testing/index.ts";
import { startTestService, type TestService } from "../../testing/test-service.ts";

const waiting = waitingTool();

let running: TestService;
beforeAll(async () => {
  running = await startTestService({ tools: [waiting.tool] });
});
afterAll(() => running.stop());

async function call(method: string, path: string, body?: object): Promise<{ status: number; body: Json }> {
  const response = await fetch(`${running.url}/api/chat/sessions/${path}`, {
    method,
    ...(body && { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
  });
  return { status: response.status, body: (await response.json()) as Json };
}

async function busySession(): Promise<{ context: string; task: string; end: () => Promise<string[]> }> {
  waiting.hold();
  const { core } = running.service;
  const handle = await core.tasks.start({ text: "/call waiting {}" });
  await waiting.started;
  const end = async (): Promise<string[]> => {
    waiting.release();
    const { history } = await handle.settled();
    return history.flatMap((entry) =>
      entry.from === "caller" ? entry.message.parts.flatMap((part) => (part.kind === "text" ? [part.text] : [])) : [],
    );
  };
  return { context: handle.view.context, task: handle.id, end };
}

it("is accepted, shown, withdrawn, and read once by the running turn", async () => {
  const { context, end } = await busySession();
  const one = await call("POST", `${context}/steer`, { text: " first ", id: "one" });
  expect(one).toEqual({ status: 200, body: { ok: true, id: "one", pending: 1, task_id: null } });
  const two = await call("POST", `${context}/steer`, { text: "second" });
  expect(two.body).toMatchObject({ pending: 2, task_id: null });
  const again = await call("POST", `${context}/steer`, { text: "first", id: "one" });
  expect(again.body).toEqual({ ...one.body, pending: 2 });
  expect((await call("POST", `${context}/steer`, { text: "other", id: "one" })).status).toBe(409);
  expect((await call("GET", `${context}/steer`)).body).toEqual({
    pending: [
      { id: "one", text: "first" },
      { id: two.body.id, text: "second" },
    ],
  });
  expect((await call("DELETE", `${context}/steer/one`)).body).toEqual({ removed: true, pending: 1 });
  expect((await call("DELETE", `${context}/steer/one`)).body).toEqual({ removed: false, pending: 1 });
  expect(await end()).toEqual(["/call waiting {}", "second"]);
  expect((await call("DELETE", `${context}/steer/${two.body.id}`)).body).toEqual({ removed: false, pending: 0 });
});

it("starts a turn of its own where none runs", async () => {
  const { context, end } = await busySession();
  await end();
  const { body } = await call("POST", `${context}/steer`, { text: "are you there?" });
  expect(body).toMatchObject({ pending: 0, task_id: expect.any(String) });
  const turn = (await running.service.core.tasks.get(body.task_id))!;
  expect((await turn.settled()).state).toBe("completed");
  expect(turn.view).toMatchObject({ context, origin: "chat" });
});

it("is refused where it is blank, is too much, or there is no such session", async () => {
  const { context, end } = await busySession();
  expect((await call("POST", `${context}/steer`, { text: "  " })).status).toBe(400);
  expect((await call("POST", `${context}/steer`, { text: "x", id: "a b" })).status).toBe(422);
  for (const [method, path] of [
    ["POST", "nowhere/steer"],
    ["GET", "nowhere/steer"],
    ["DELETE", "nowhere/steer/x"],
  ] as const) {
    const answer = await call(method, path, method === "POST" ? { text: "x" } : undefined);
    expect(answer).toMatchObject({ status: 404, body: { detail: { code: "not_found" } } });
  }
  const all = await Promise.all(
    Array.from({ length: 101 }, (_, i) => call("POST", `${context}/steer`, { text: `${i}` })),
  );
  expect(all.map(({ status }) => status).filter((status) => status !== 200)).toEqual([429]);
  await end();
});
