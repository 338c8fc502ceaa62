/** Text that a store cannot hold: NUL, and halves of surrogate pairs (B30; R4). */
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Json } from "../../testing/index.ts";
import { startTestService, type TestService } from "../../testing/test-service.ts";

const config = `
model: {name: "main:demo"}
providers: [{id: main, type: scripted}]
enforcement: {require_approval: [calculator]}
tools: {self_config_enabled: true}
`;
let running: TestService;
beforeAll(async () => {
  running = await startTestService({ config });
});
afterAll(() => running.stop());

const post = async (path: string, body: string): Promise<{ status: number; body: Json }> => {
  const response = await fetch(`${running.url}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  });
  return { status: response.status, body: (await response.json()) as Json };
};
/** Its escape in JSON. */
const BAD = ["a\\u0000b", "a\\ud800b", "\\udc00"];

it.each(BAD)("in a body of the operator API %s is a 422 that names its path", async (text) => {
  for (const [path, body, loc] of [
    ["/api/tasks/issues", `{"title":"${text}"}`, ["body", "title"]],
    ["/api/inbox", `{"text":"${text}"}`, ["body", "text"]],
    ["/api/chat", `{"message":"${text}"}`, ["body", "message"]],
    ["/api/config", `{"config":{"identity":{"org":"${text}"}}}`, ["body", "config", "identity", "org"]],
    ["/api/subagents/batch", `{"tasks":[{"prompt":"${text}"}]}`, ["body", "tasks", 0, "prompt"]],
    ["/api/settings", `{"updates":{"${text}":1}}`, ["body", "updates"]],
  ] as const)
    expect(await post(path, body)).toMatchObject({ status: 422, body: { detail: [{ loc, type: "unstorable_text" }] } });
});

it.each(BAD)(
  "in the arguments of any tool %s is a result that the model reads, and the turn continues",
  async (text) => {
    const calls = [
      ["calculator", `{"expression": "${text}"}`],
      ["ask_human", `{"question": "${text}"}`],
      ["request_user_input", `{"title": "${text}", "steps": [{"schema": {"type": "object"}}]}`],
      ["show_component", `{"component": "keyvalue", "props": {"items": [{"label": "${text}", "value": "v"}]}}`],
      ["task_create", `{"title": "${text}"}`],
      ["task", `{"prompt": "${text}", "description": "d", "subagent_type": "researcher"}`],
      ["wait", `{"seconds": 60, "then": "${text}"}`],
      ["set_config", `{"updates": {"${text}": 1}}`],
      ["current_time", `{"timezone": "${text}"}`],
      ["nobody_knows", `{"a": "${text}"}`],
    ];
    for (const [name, args] of calls) {
      const task = await running.wire.say(`/call ${name} ${args}`);
      expect([name, task.status.state]).toEqual([name, "completed"]);
      const journal = await fetch(`${running.url}/api/a2a/tasks/${task.id}/journal`).then((response) =>
        response.text(),
      );
      expect(journal).not.toMatch(/SELECT|INSERT|UPDATE issue|SQL/);
      if (name !== "nobody_knows") expect(journal).toContain("Invalid arguments");
    }
  },
);

it.each(BAD)("in a message %s is taken on every other surface, and its conversation is listed", async (text) => {
  const chat = { model: "main:demo", messages: [{ role: "user", content: "M" }] };
  const completion = await post("/v1/chat/completions", JSON.stringify(chat).replace('"M"', `"${text}"`));
  expect(completion.status).toBe(200);
  const message = { role: "user", parts: [{ kind: "text", text: "M" }] };
  const sent = { jsonrpc: "2.0", id: 1, method: "message/send", params: { message } };
  const answer = await post("/a2a", JSON.stringify(sent).replace('"M"', `"${text}"`));
  expect(answer.body.result.status.state).toBe("completed");
  const session = await fetch(`${running.url}/api/chat/sessions/${answer.body.result.contextId}`);
  expect(await session.json()).toMatchObject({ turn_count: 1 });
  const { sessions } = (await fetch(`${running.url}/api/chat/sessions`).then((response) => response.json())) as Json;
  expect(sessions.find((one: Json) => one.session_id === answer.body.result.contextId)).toBeDefined();
});
