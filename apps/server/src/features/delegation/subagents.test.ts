/** Subagents and delegations over the operator API (B35; O4). */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Json, waitingTool } from "../../testing/index.ts";
import { startTestService, type TestService } from "../../testing/test-service.ts";

const waiting = waitingTool();

const config = `
subagents:
  output_truncate: 200
  researcher:
    tools: [waiting, ask_human]
    max_turns: 2
  reviewer:
    enabled: false
model:
  name: scripted:demo
  max_retries: 0
providers:
  - id: scripted
    type: scripted
`;

let running: TestService;
beforeAll(async () => {
  running = await startTestService({ tools: [waiting.tool], config });
});
afterAll(() => running.stop());

async function call(method: string, path: string, body?: object) {
  const response = await fetch(`${running.url}/api/${path}`, {
    method,
    ...(body && { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
  });
  return { status: response.status, body: (await response.json()) as Json, headers: response.headers };
}

it("lists the roles as the configuration has them", async () => {
  const { body } = await call("GET", "subagents");
  expect(body.subagents).toHaveLength(7);
  expect(body.subagents[0]).toEqual({
    name: "researcher",
    description: expect.stringContaining("searches the web"),
    enabled: true,
    tools: ["waiting", "ask_human"],
    default_tools: ["current_time", "calculator", "web_search", "fetch_url"],
    max_turns: 2,
    default_max_turns: 30,
    model: "",
  });
  const tools = (await call("GET", "tools")).body.tools as { name: string; category: string }[];
  expect(tools.filter(({ category }) => category === "delegation").map(({ name }) => name)).toEqual([
    ...["task", "task_batch", "stop_task"],
  ]);
  expect((await call("GET", "runtime/status")).body.features.subagents).toEqual({ available: true, enabled: true });
});

it("runs one and answers with its outcome", async () => {
  const { status, body } = await call("POST", "subagents/run", { prompt: "/say forty-two", type: "verifier" });
  expect([status, body]).toEqual([
    200,
    { ok: true, session_id: "manual-subagent", task_id: expect.any(String), output: "forty-two" },
  ]);
  const view = (await running.service.core.service.get(body.task_id as string))?.view;
  expect(view).toMatchObject({
    origin: "subagent",
    role: "verifier",
    parent: undefined,
    context: `subagent:${body.task_id}`,
  });
});

it("refuses what it cannot run, and reports when the provider failed", async () => {
  expect((await call("POST", "subagents/run", { prompt: "  " })).status).toBe(400);
  expect((await call("POST", "subagents/run", { prompt: "x", type: "unknown" })).body).toEqual({
    detail: expect.stringContaining('There is no subagent named "unknown". There are: researcher,'),
  });
  expect(
    (await call("POST", "subagents/run", { prompt: "x", type: "verifier", subagent_type: "reviewer" })).status,
  ).toBe(400);
  const limited = await call("POST", "subagents/run", { prompt: "/fail 429", session_id: "s" });
  expect([limited.status, limited.body.detail]).toMatchObject([
    429,
    { code: "rate_limited", upstream_status: 429, session_id: "s", message: expect.any(String) },
  ]);
  const { error_id: errorId } = limited.body.detail;
  expect(errorId).toMatch(/./);
  const { entries } = (await call("GET", "diagnostics/logs")).body;
  expect(entries).toContainEqual(expect.objectContaining({ fields: expect.objectContaining({ errorId }) }));
  expect((await call("POST", "subagents/run", { prompt: "/fail 500" })).status).toBe(502);
});

it("runs a batch, and fails it only when every task failed at the provider", async () => {
  const tasks = [
    { prompt: "/say one", description: "first" },
    { prompt: "/fail 500", type: "verifier" },
  ];
  const mixed = await call("POST", "subagents/batch", { tasks });
  expect(mixed.status).toBe(200);
  expect(mixed.body).toMatchObject({
    ok: false,
    results: [
      { ok: true, output: "one" },
      { ok: false, subagent_type: "verifier" },
    ],
  });
  expect(mixed.body.output).toMatch(/^## 1\. first \(researcher\)\n\none\n\n## 2\. verifier\n\nError: /);
  const all = await call("POST", "subagents/batch", { tasks: [{ prompt: "/fail 500" }, { prompt: "/fail 429" }] });
  expect(all.status).toBe(502);
  expect((await call("POST", "subagents/batch", { tasks: [{ prompt: "/fail 429" }] })).status).toBe(429);
  expect((await call("POST", "subagents/batch", { tasks: [] })).status).toBe(400);
  expect((await call("POST", "subagents/batch", { tasks: [...tasks, {}] })).status).toBe(422);
  expect((await call("POST", "subagents/batch", { tasks: [{ prompt: " " }] })).status).toBe(422);
  const many = Array.from({ length: 21 }, () => ({ prompt: "x" }));
  expect((await call("POST", "subagents/batch", { tasks: many })).status).toBe(422);
  expect((await call("POST", "subagents/batch", { tasks: [tasks[0], { prompt: "x", type: "unknown" }] })).status).toBe(
    400,
  );
});

it("shows what a session's agent waits for, and cancels it while the agent continues", async () => {
  const { core } = running.service;
  const args = JSON.stringify({ description: "look around", prompt: "/call waiting {}" });
  const task = await core.tasks.start({ text: `/call task ${args}\n/then\n/say without it then` });
  await waiting.started;
  const path = `chat/sessions/${task.view.context}/delegations`;
  const { body } = await call("GET", path);
  expect(body.running).toEqual([
    {
      id: expect.stringMatching(/^call_/),
      label: "look around",
      subagent_type: "researcher",
      task_id: expect.any(String),
      parent: task.id,
      state: "working",
    },
  ]);
  const journal = `a2a/tasks/${task.id}/journal?limit=1`;
  const { task_id } = body.running[0];
  expect((await call("GET", journal)).body.children).toEqual([{ task_id, origin: "subagent", state: "working" }]);
  expect((await call("POST", `${path}/call_other/cancel`)).body).toEqual({ cancelled: false, running: 1 });
  const id = body.running[0].id as string;
  expect((await call("POST", `${path}/${id}/cancel`)).body).toEqual({ cancelled: true, running: 0 });
  const view = await task.settled();
  expect(view.answer).toEqual([{ kind: "text", text: "without it then" }]);
  waiting.release();
  expect((await call("GET", path)).body).toEqual({ running: [] });
  expect((await call("GET", journal)).body.children).toEqual([{ task_id, origin: "subagent", state: "canceled" }]);
  const missing = await call("GET", "chat/sessions/nowhere/delegations");
  expect([missing.status, missing.body.detail.code]).toEqual([404, "not_found"]);
  expect((await call("POST", "chat/sessions/nowhere/delegations/x/cancel")).status).toBe(404);
});

it("bills a delegation to its turn, and shows the calls of both under the turn", async () => {
  const { core } = running.service;
  const args = JSON.stringify({ description: "d", prompt: "/say found" });
  const task = await core.tasks.start({ text: `/call task ${args}\n/then\n/say done` });
  await task.settled();
  const [child] = task.view.billed!;
  const { turns } = (await call("GET", "telemetry/recent?limit=100")).body;
  const rows = (turns as { task_id: string; llm_calls: number }[]).filter(
    ({ task_id }) => task_id === child || task_id === task.id,
  );
  expect(rows).toHaveLength(1);
  expect(rows[0]).toMatchObject({ task_id: task.id });
  const { calls, subagents } = (await call("GET", `prompts/${task.id}`)).body;
  expect(calls).toMatchObject([{ subagent_type: null }, { subagent_type: null }]);
  expect(subagents).toMatchObject([{ task_id: child, calls: [{ subagent_type: "researcher" }] }]);
});

it("lets a person have a role lead a turn of the conversation", async () => {
  const { commands } = (await call("GET", "chat/commands")).body as { commands: { name: string; kind: string }[] };
  const roles = commands.filter(({ kind }) => kind === "subagent").map(({ name }) => name);
  expect(roles).toEqual(["researcher", "antagonist", "verifier", "synthesizer", "memory-curator", "skill-curator"]);
  const { body } = await call("POST", "chat", { message: "/verifier /say it holds", session_id: "claims" });
  expect(body).toMatchObject({ response: "it holds", session_id: "claims" });
  expect((await running.service.core.service.get(body.task_id as string))?.view).toMatchObject({
    ...{ origin: "chat", role: "verifier", context: "claims" },
  });
  expect((await call("POST", "chat", { message: "/verifier" })).body.response).toContain("/verifier <task>");
});
