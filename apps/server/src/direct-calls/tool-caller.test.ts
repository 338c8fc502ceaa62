/** `POST /api/tools/{name}/call` as the operator meets it (M19). */
import * as v from "valibot";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Json } from "../testing/index.ts";
import { startTestService, type TestService, type TestServiceOptions } from "../testing/test-service.ts";
import { toolCaller } from "./tool-caller.ts";

const runs: string[] = [];
type Tool = NonNullable<TestServiceOptions["tools"]>[number];
const pay: Tool = {
  name: "pay",
  description: "Pays.",
  input: v.object({ to: v.object({ name: v.string() }) }),
  approval: () => ({ title: "Pay?", detail: "" }),
  run(_, { callId }) {
    runs.push(callId);
    return "paid";
  },
};
const ask: Tool = {
  name: "ask",
  description: "Asks.",
  input: v.object({}),
  run: () => ({
    type: "park",
    request: { kind: "form", title: "Who?", description: "", steps: [{ schema: { type: "object" } }] },
  }),
};

let running: TestService;
beforeAll(async () => {
  running = await startTestService({ tools: [pay, ask], config: "tools: { disabled: [current_time] }\n" });
});
afterAll(() => running.stop());

async function request(path: string, body?: object, headers: { readonly [name: string]: string } = {}) {
  const response = await fetch(running.url + path, {
    headers: { "content-type": "application/json", ...headers },
    ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Json };
}
const call = (tool: string, args: unknown, more: object = {}, headers = {}) =>
  request(`/api/tools/${tool}/call`, { args, ...more }, headers);

test("a call is made without a model, as a task of its own that no list of sessions has", async () => {
  const made = await call("calculator", { expression: "2 + 3" });
  expect(made).toMatchObject({ status: 200, body: { state: "completed", outcome: "ok", result: "5" } });
  const { body: listed } = await request("/api/a2a/tasks?origin=operator");
  expect(listed.tasks).toMatchObject([{ task_id: made.body.task_id, state: "completed" }]);
  const { body: journal } = await request(`/api/a2a/tasks/${made.body.task_id}/journal`);
  expect(JSON.stringify(journal)).not.toContain('"model.');
  expect((await request("/api/chat/sessions")).body.sessions).toEqual([]);
  const wrong = await call("calculator", { expression: "2 +" });
  expect(wrong.body).toMatchObject({ state: "completed", outcome: "error", result: expect.stringMatching(/^Error: /) });
});

test("in a session it is one of its turns; a session that does not exist is refused", async () => {
  await request("/api/chat", { message: "hello", session_id: "talk" });
  const made = await call("calculator", { expression: "1 + 1" }, { session_id: "talk" });
  expect(made.body).toMatchObject({ session_id: "talk", outcome: "ok", result: "2" });
  const { body } = await request("/api/chat/sessions/talk/turns");
  expect(JSON.stringify(body)).toContain('Call calculator with {\\"expression\\":\\"1 + 1\\"}');
  expect((await call("calculator", { expression: "1" }, { session_id: "nowhere" })).status).toBe(404);
  expect((await call("calculator", { expression: "1" }, { session_id: "" })).status).toBe(422);
});

test("an unknown or disabled tool is 404, and arguments that do not fit 422 with their places", async () => {
  for (const tool of ["nope", "current_time", "%00"])
    expect((await call(tool, {})).status).toBe(tool === "%00" ? 422 : 404);
  const wrong = await call("pay", { to: { name: 7 } });
  expect(wrong).toMatchObject({ status: 422, body: { detail: [{ loc: ["body", "args", "to", "name"] }] } });
  expect(JSON.stringify(wrong.body)).not.toContain("7");
  for (const args of ["text", [], null, 5]) {
    expect(await call("pay", args)).toMatchObject({ status: 422, body: { detail: [{ loc: ["body", "args"] }] } });
  }
  expect(runs).toEqual([]);
});

test("what it asks a person is returned; a repeated key waits on, and makes no second call", async () => {
  const key = { "idempotency-key": "pay-once" };
  const asked = await call("pay", { to: { name: "Ann" } }, {}, key);
  expect(asked.body).toMatchObject({ state: "input-required", input_required: { kind: "approval", title: "Pay?" } });
  expect(asked.body).not.toHaveProperty("outcome");
  const id = asked.body.input_required.prompt_id as string;
  await request(`/api/approvals/${id}`, { decision: "approve" });
  const repeated = await call("pay", { to: { name: "Ann" } }, {}, key);
  expect(repeated.body).toMatchObject({ task_id: asked.body.task_id, outcome: "ok", result: "paid" });
  expect(runs).toHaveLength(1);
  expect((await call("pay", { to: { name: "Bob" } }, {}, key)).status).toBe(409);
});

test("a form may be declined, with a note and nothing else", async () => {
  const asked = await call("ask", {});
  const id = asked.body.input_required.prompt_id as string;
  const path = `/api/approvals/${id}`;
  expect((await request(path, { decision: "decline", answer: {} })).status).toBe(400);
  expect((await request(path, { decision: "approve" })).status).toBe(400);
  expect((await request(path, { decision: "decline", note: "not today" })).status).toBe(200);
  const task = (await running.service.core.service.get(asked.body.task_id))!;
  expect(JSON.stringify((await task.settled()).answer)).toContain("declined\\nThey say: not today");
});

test("waits 30 seconds, or until the client leaves", async () => {
  const view = { state: "running", context: "c", prompts: [] };
  const never = (signal?: AbortSignal) =>
    signal?.aborted === true
      ? Promise.reject(signal.reason)
      : new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
  const delays: number[] = [];
  let expire = (): void => {};
  const clock = {
    setTimeout(run: () => void, ms: number) {
      delays.push(ms);
      expire = run;
      return { cancel: () => {} };
    },
  };
  const make = toolCaller({
    calls: { start: async () => ({ id: "t1", view, settled: never }), endOf: async () => undefined },
    ...{ tasks: {}, sessions: {}, clock },
  } as never);
  const asked = { tool: "x", args: {}, session: undefined, key: undefined, traceparent: undefined };
  const late = make(asked, new AbortController().signal);
  await Promise.resolve();
  await expect.poll(() => delays).toEqual([30_000]);
  expire();
  expect(await late).toEqual({ task_id: "t1", session_id: "c", state: "working" });
  expect(await make(asked, AbortSignal.abort())).toMatchObject({ state: "working" });
});
