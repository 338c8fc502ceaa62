import { park } from "@agent-service/plugin-sdk";
import { afterAll, afterEach, expect, test } from "vitest";
import { answerText, call, caller, callsOf, coreBench, countedTool, eventsOfKind, searching } from "../core-bench.ts";
import { scriptedModel } from "../testing/scripted-model.ts";
import type { EnforcementSettings, ToolPolicy } from "./index.ts";

const bench = coreBench();
afterEach(() => bench.end());
afterAll(() => bench.remove());

const NOTHING: EnforcementSettings = { disallowed: [], rateLimits: {}, requireApproval: [] };

test("a call that settings forbid is denied, the model reads why, and the tool never runs", async () => {
  const { tool, runs } = countedTool("send_mail", {});
  const settings = { ...NOTHING, disallowed: ["send_*"] };
  const core = await bench.start({ model: caller([call("send_mail")]), tools: [tool], enforcement: () => settings });
  const task = await core.tasks.start({ text: "go" });
  await task.settled();
  expect(answerText(task)).toBe(
    "Blocked by policy: send_mail is not allowed here. It was not run; do not call it again.",
  );
  expect(runs).toHaveLength(0);
  expect(await callsOf(core, task.id)).toMatchObject([{ name: "send_mail", outcome: "denied" }]);
  expect(await eventsOfKind(core, task.id, "tool.finished")).toMatchObject([{ outcome: "denied" }]);
});

test("parallel calls beyond a rate limit are denied, and the others run", async () => {
  const { tool, runs } = countedTool("look", {});
  const settings = { ...NOTHING, rateLimits: { look: { max: 2, windowMs: 60_000 } } };
  const model = caller([1, 2, 3, 4].map((n) => call("look", { n })));
  const core = await bench.start({ model, tools: [tool], enforcement: () => settings });
  const task = await core.tasks.start({ text: "go" });
  await task.settled();
  expect(runs).toHaveLength(2);
  expect(
    (await callsOf(core, task.id)).map(({ outcome }) => String(outcome)).toSorted((a, b) => a.localeCompare(b)),
  ).toEqual(["denied", "denied", "ok", "ok"]);
  expect(answerText(task)).toMatch(
    /look may be called 2 times in 60 s\. It was not run; it can be called again in 60 s/,
  );
});

test("settings make any tool ask first, and forbid what was approved before (S8)", async () => {
  const { tool, runs } = countedTool("send_mail", {});
  let settings = { ...NOTHING, requireApproval: ["*"] };
  const core = await bench.start({
    model: caller([call("send_mail", { n: 1 })]),
    tools: [tool],
    enforcement: () => settings,
  });
  const ask = async () => {
    const task = await core.tasks.start({ text: "go" });
    expect(await task.settled()).toMatchObject({
      state: "parked",
      prompts: [{ tool: "send_mail", reason: "before", payload: { kind: "approval", args: { n: 1 } } }],
    });
    return task;
  };
  const first = await ask();
  await core.tasks.answer(first.id, { answer: "yes" });
  await first.settled();
  expect(runs).toHaveLength(1);
  const second = await ask();
  settings = { ...NOTHING, disallowed: ["send_mail"] } as never;
  await core.tasks.answer(second.id, { answer: "yes" });
  await second.settled();
  expect(runs).toHaveLength(1);
  expect(answerText(second)).toContain("Blocked by policy");
});

test("a call that parked inside is not counted again when it continues", async () => {
  const { tool } = countedTool("book", { run: () => park.question("Which seat?"), resume: () => "booked" });
  const settings = { ...NOTHING, rateLimits: { book: { max: 1, windowMs: 60_000 } } };
  const core = await bench.start({ model: caller([call("book")]), tools: [tool], enforcement: () => settings });
  const task = await core.tasks.start({ text: "go" });
  await task.settled();
  await core.tasks.answer(task.id, { answer: "12A" });
  await task.settled();
  expect(answerText(task)).toBe("booked");
});

test("an agent has the tools of the moment (B58 tools.disabled)", async () => {
  const tools = [countedTool("one", {}).tool, countedTool("two", {}).tool];
  let policy: ToolPolicy = { dropped: [] };
  const model = scriptedModel(() => "hello");
  const core = await bench.start({ model, tools, toolPolicy: () => policy });
  const shown = async () => {
    await (await core.tasks.start({ text: "go" })).settled();
    return model.calls.at(-1)?.request.tools;
  };
  const before = await shown();
  expect(before?.map(({ name }) => name)).toEqual(["one", "two"]);
  expect(await shown()).toBe(before);
  policy = { dropped: ["t*"] };
  expect((await shown())?.map(({ name }) => name)).toEqual(["one"]);
  expect(core.toolbox.get("two")).toBeUndefined();
});

test("a withheld tool is shown once the conversation has found or used it, also after a restart", async () => {
  const names = ["read_mail", "send_mail", "weather"];
  const tools = names.map((name) => countedTool(name, { description: `Does ${name}.` }).tool);
  const policy: ToolPolicy = { dropped: [], deferred: { keep: ["search_tools"] } };
  const model = scriptedModel(({ messages }) => {
    const last = messages.at(-1);
    const text = last?.role === "user" && last.content[0]?.kind === "text" ? last.content[0].text : "";
    return text === "" ? "done" : [call(...(JSON.parse(text) as [string, object]))];
  });
  const store = bench.newStore();
  const start = () => {
    return bench.start({ store, model, tools, features: [searching], toolPolicy: () => policy });
  };
  let core = await start();
  const callTool = async (name: string, args: object) => {
    const task = await core.tasks.start({ context: "c", text: JSON.stringify([name, args]) });
    await task.settled();
    return model.calls.slice(-2).map(({ request }) => request.tools.map((tool) => tool.name).join());
  };
  expect(await callTool("search_tools", { query: "mail", limit: 1 })).toEqual([
    "search_tools",
    "search_tools,read_mail",
  ]);
  expect(await callTool("weather", {})).toEqual(["search_tools,read_mail", "search_tools,read_mail,weather"]);
  const kept = model.calls.at(-1)?.request.tools;
  await bench.crash(core);
  core = await start();
  expect(await callTool("search_tools", {})).toEqual([
    "search_tools,read_mail,weather",
    "search_tools,read_mail,weather,send_mail",
  ]);
  expect(model.calls.at(-1)?.request.tools.slice(0, 3)).toEqual(kept);
});
