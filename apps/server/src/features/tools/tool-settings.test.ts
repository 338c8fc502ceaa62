/** Which tools the agent has and what is checked before they run, live (B58 `tools`, `enforcement`; S8). */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Json, textOf } from "../../testing/index.ts";
import { startTestService, type TestService } from "../../testing/test-service.ts";

let running: TestService;
beforeAll(async () => {
  running = await startTestService();
});
afterAll(() => running.stop());

const tools = async (): Promise<Json> => (await fetch(`${running.url}/api/tools`)).json();
const tool = async (name: string): Promise<Json> => (await tools()).tools.find((one: Json) => one.name === name);
const apply = (config: string) => {
  running.folders.configure(config);
  return running.live.reload();
};
const calculate = async () => textOf(await running.wire.say('/call calculator {"expression": "1+1"}'));

it("lists the tools by subsystem, without hidden ones", async () => {
  const all = await tools();
  expect(all.tools.length).toBeGreaterThan(8);
  expect(await tool("calculator")).toMatchObject({ source: "core", category: "general", enabled: true });
  expect(await tool("set_config")).toMatchObject({ enabled: false });
  expect(all.count).toBe(all.tools.filter((one: Json) => one.enabled).length);
  apply("tools: { disabled: [calculator], hidden: [fetch_url], self_config_enabled: true }");
  expect(await tool("calculator")).toMatchObject({ enabled: false });
  expect(await tool("fetch_url")).toBeUndefined();
  expect(await tool("set_config")).toMatchObject({ enabled: true });
  expect((await tools()).disabled).toEqual(["calculator"]);
  expect(await calculate()).toContain('there is no tool named "calculator"');
  expect(running.live.restartRequired()).toEqual([]);
});

it("withholds tools until they are searched for", async () => {
  apply("tools: { deferred: { enabled: true, keep: [current_time] } }");
  expect(await tool("calculator")).toMatchObject({ enabled: true, deferred: true });
  expect(await tool("current_time")).toMatchObject({ deferred: false });
  expect(textOf(await running.wire.say('/call search_tools {"query": "calculate"}'))).toContain("calculator");
});

it("checks calls while the gate is on, and reports settings without effect while it is off", async () => {
  const blocked = "enforcement: { disallowed_tools: [calc*], require_approval: [web_search] }";
  const off = apply(blocked);
  expect(off).toMatchObject({
    ok: true,
    warnings: [expect.stringContaining("enforcement.disallowed_tools: does nothing")],
  });
  expect(await calculate()).toBe("calculator returned: 2");
  expect(await tool("web_search")).toMatchObject({ requires_approval: true });
  apply(`${blocked}\nmiddleware: { enforcement: true }`);
  expect(await calculate()).toContain("Blocked by policy: calculator is not allowed here.");
  expect(await tool("calculator")).toMatchObject({ enabled: true, blocked: true });
  apply(
    "enforcement: { rate_limits: { calculator: { max: 1, window_seconds: 3600 } } }\nmiddleware: { enforcement: true }",
  );
  expect(await calculate()).toBe("calculator returned: 2");
  expect(await calculate()).toMatch(/Blocked by policy: calculator may be called once in 3600 s/);
});

it.each([
  ["enforcement: { disallowed_tools: run_command }", "enforcement.disallowed_tools"],
  ["enforcement: { disallowed_tools: ['not a name!'] }", "enforcement.disallowed_tools"],
  ["enforcement: { rate_limits: { calculator: { max: 1 } } }", "enforcement.rate_limits"],
  ["enforcement: { rate_limits: { 'calc*': { max: 1, window_seconds: 5 } } }", "enforcement.rate_limits"],
  ["middleware: { enforcement: maybe }", "middleware.enforcement"],
  ["middleware: off please", "middleware"],
])("refuses %s and what ran runs on (S8)", async (config, key) => {
  apply("enforcement: { disallowed_tools: [calculator] }\nmiddleware: { enforcement: true }");
  expect(apply(config)).toMatchObject({ ok: false, rejected: { reason: expect.stringContaining(`${key}: `) } });
  expect(await calculate()).toContain("Blocked by policy");
});

it("takes a wrong value beside the gate for its default, with a warning (S8)", () => {
  expect(apply("middleware: { audit: 7 }")).toMatchObject({ ok: true });
});

it.each([
  ["middleware.scheduler: false", { config: "middleware: { scheduler: false }\n" }],
  ["SCHEDULER_DISABLED", { env: { SCHEDULER_DISABLED: "1" } }],
])("%s takes the tools that schedule away", async (_what, options) => {
  await using service = await startTestService(options);
  const { tools } = (await fetch(`${service.url}/api/tools`).then((answer) => answer.json())) as Json;
  expect(tools.find((tool: Json) => tool.name === "wait")).toMatchObject({ enabled: false });
  const task = await service.wire.say('/call wait {"seconds": 60, "then": "x"}');
  expect(JSON.stringify(task)).not.toContain("60 s");
  expect(task.status.state).toBe("completed");
});
