/** Scripts in a running service: switched on and off live, asked about by settings, approved through the API (F18, F19, S8). */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Json, textOf } from "../../testing/index.ts";
import { startTestService, type TestService } from "../../testing/test-service.ts";

let running: TestService;
beforeAll(async () => {
  running = await startTestService();
});
afterAll(() => running.stop());

const get = async (path: string): Promise<Json> => (await fetch(`${running.url}${path}`)).json();
const apply = (config: string) => {
  running.folders.configure(config);
  return running.live.reload();
};
const script = (code: string): string => `/call execute_code ${JSON.stringify({ code })}`;
const tool = async () => (await get("/api/tools")).tools.find(({ name }: Json) => name === "execute_code");

it("exists once execute_code.enabled is set, at once", async () => {
  expect(await tool()).toMatchObject({ enabled: false });
  expect((await get("/api/runtime/status")).features).toMatchObject({ execute_code: { enabled: false } });
  expect(textOf(await running.wire.say(script("return 1")))).toContain('there is no tool named "execute_code"');
  apply("execute_code: { enabled: true }");
  expect(await tool()).toMatchObject({ enabled: true, category: "code" });
  expect((await get("/api/runtime/status")).features).toMatchObject({ execute_code: { enabled: true } });
  const sum = 'return (await tools.calculator({ expression: "6 * 7" }))';
  expect(textOf(await running.wire.say(script(sum)))).toBe("execute_code returned: 42");
});

it("asks about an inner call by its own tool and arguments, which cannot be edited", async () => {
  apply("execute_code: { enabled: true, tools: [calculator] }\nenforcement: { require_approval: [calculator] }");
  const parked = await running.wire.say(script('return await tools.calculator({ expression: "1 + 1" })'));
  expect(parked).toMatchObject({ status: { state: "input-required" } });
  const [row] = (await get("/api/approvals")).approvals;
  expect(row.payload).toMatchObject({ tool: "calculator", args: { expression: "1 + 1" } });
  const decide = (body: object) =>
    fetch(`${running.url}/api/approvals/${row.id}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  expect((await decide({ decision: "approve", args: { expression: "2" } })).status).toBe(400);
  expect((await decide({ decision: "approve" })).status).toBe(200);
  await expect
    .poll(async () => (await running.wire.result("tasks/get", { id: parked.id })).status.state)
    .toBe("completed");
  expect(textOf(await running.wire.result("tasks/get", { id: parked.id }))).toBe("execute_code returned: 2");
  const journal = await get(`/api/a2a/tasks/${parked.id}/journal`);
  const calls = journal.events.filter(({ kind }: Json) => kind === "tool_finished");
  const outer = calls.find((one: Json) => one.tool === "execute_code");
  expect(calls.find((one: Json) => one.tool === "calculator")).toMatchObject({ parent_call_id: outer.call_id });
});

it.each(["execute_code: { timeout: soon }", "execute_code: { tools: calculator }"])("refuses %s (S8)", (config) => {
  apply("execute_code: { enabled: true }");
  expect(apply(config)).toMatchObject({ ok: false, rejected: { reason: expect.stringContaining("execute_code.") } });
});
