import * as v from "valibot";
import { afterAll, afterEach, expect, test } from "vitest";
import {
  answerText,
  type BenchOptions,
  callsOf,
  coreBench,
  countedTool,
  eventsOf,
  eventsOfKind,
  holdCommit,
  STANDARD,
  textInput,
} from "../core-bench.ts";
import { askHuman, generalTools } from "../general-tools/index.ts";
import type { ModelRequest } from "../model/index.ts";
import { manualClock } from "../testing/manual-clock.ts";
import { type ScriptedTurn, scriptedModel } from "../testing/scripted-model.ts";
import { traceparentOf } from "../tracing/index.ts";
import { childTaskId, delegation, type SubagentsSectionValue, subagentsSection } from "./index.ts";

const bench = coreBench();
afterEach(() => bench.end());
afterAll(() => bench.remove());

const settings = (more: object = {}): SubagentsSectionValue => v.parse(subagentsSection.schema, more);
const operator = { class: "operator", origin: "chat" } as const;
const delegate = (args: object) => ({
  call: { name: "task", args: { description: "d", prompt: "find out", ...args } },
});
const batch = (prompts: readonly string[], more: object = {}) => ({
  call: { name: "task_batch", args: { tasks: prompts.map((prompt) => ({ description: prompt, prompt, ...more })) } },
});
const usage = { usage: { input: 10, output: 1 } };

/** A model that plays the lead by its calls' number and subagents by what they were asked. */
function cast(lead: readonly ScriptedTurn[], child: (prompt: string, request: ModelRequest) => ScriptedTurn) {
  let led = 0;
  return scriptedModel((request) => {
    if (request.system?.startsWith("You are a subagent") !== true) return lead[led++] ?? "the lead has no more turns";
    const first = request.messages[0];
    const [part] = first?.role === "user" ? first.content : [];
    return child(part?.kind === "text" ? part.text : "", request);
  });
}

async function start(options: BenchOptions & { readonly subagents?: object; readonly auxModel?: string }) {
  const { subagents = {}, auxModel = "", tools = [], ...rest } = options;
  const section = settings(subagents);
  const core = await bench.start({
    ...rest,
    tools,
    features: [delegation, ...STANDARD],
    settings: ({ name }) => (name === "subagents" ? section : { aux_model: auxModel }),
  });
  return { core, delegations: core.features.delegation };
}

const callIdOf = async (core: Parameters<typeof callsOf>[0], task: string): Promise<string> =>
  String((await callsOf(core, task))[0]?.call);

test("a subagent does what a call gives it, and what it used is billed to the turn that asked (R1, A11)", async () => {
  const model = cast(
    [
      [usage, delegate({})],
      [usage, { say: "It is 42." }],
    ],
    () => [usage, { say: "forty-two" }],
  );
  const price = { input: 1, output: 1 };
  const { core, delegations } = await start({
    model: () => ({ model, name: "m", price }),
    tools: generalTools(),
  });
  const trace = `00-${"a".repeat(32)}-${"b".repeat(16)}-01`;
  const task = await core.service.start({ ...operator, trace, input: textInput("what is it?") });
  const view = await task.settled();
  expect(answerText(task)).toBe("It is 42.");
  const [call] = await callsOf(core, task.id);
  expect(call).toMatchObject({ name: "task", outcome: "ok", result: "forty-two" });
  expect(view).toMatchObject({ usage: { input: 30, output: 3 }, contextTokens: 10 });
  expect(view.models).toEqual([{ model: "m", calls: 3, usage: view.usage, costUsd: expect.closeTo(33e-6, 9) }]);
  expect(view.costUsd).toBeCloseTo(33e-6, 9);
  const id = childTaskId(String(call?.call), 0);
  const child = (await core.service.get(id))?.view;
  expect(child).toMatchObject({ origin: "subagent", class: "operator", role: "researcher", state: "completed" });
  expect(child?.parent).toEqual({ task: task.id, call: call?.call });
  expect(child?.trace).toBe(traceparentOf(task.id, String(call?.call), trace));
  expect(view.billed).toEqual([id]);
  // The role has the tools of its list only, and never those reserved for leads.
  const [lead, sub] = model.calls.map(({ request }) => request);
  expect(lead?.tools.map(({ name }) => name)).toContain("ask_human");
  expect(sub?.tools.map(({ name }) => name)).toEqual(["current_time", "calculator"]);
  expect(delegations.running({ class: "operator", context: task.view.context })).toEqual([]);
});

test("it runs on its pin, else on its turn's model, else on the auxiliary one, else on the lead", async () => {
  const asked: (string | undefined)[] = [];
  const runs = async (pin: string, auxModel: string, override?: string) => {
    asked.length = 0;
    const model = cast([[delegate({})], "done"], () => "found");
    const choose = (value: string | undefined) => {
      asked.push(value);
      return { model, name: value ?? "lead" };
    };
    const { core } = await start({ model: choose, subagents: { researcher: { model: pin } }, auxModel });
    const options = override === undefined ? {} : { options: { model: override } };
    const task = await core.service.start({ ...operator, ...options, input: textInput("go") });
    await task.settled();
    expect(answerText(task)).toBe("done");
    return asked.find((value) => value !== override) ?? asked[0];
  };
  expect(await runs("pinned", "aux", "turn")).toBe("pinned");
  expect(await runs("", "aux", "turn")).toBe("turn");
  expect(await runs("", "aux")).toBe("aux");
  expect(await runs("", "")).toBeUndefined();
});

test("a request for one round more than it has ends it, and what it has is marked as partial", async () => {
  const { tool, runs } = countedTool("look", { effect: "pure" });
  const model = cast([[delegate({})], "done"], () => [{ say: "so far so good" }, { call: { name: "look" } }]);
  const { core } = await start({ model, tools: [tool], subagents: { researcher: { tools: ["look"], max_turns: 2 } } });
  const task = await core.service.start({ ...operator, input: textInput("go") });
  await task.settled();
  expect(runs).toHaveLength(2);
  const [call] = await callsOf(core, task.id);
  expect(call?.result).toBe("so far so good\n\n[Partial: stopped after 2 tool rounds, the limit of this role.]");
});

test("a rejected delegation names the reason: no such role, one switched off, a level too deep", async () => {
  const lead = [
    [delegate({ subagent_type: "nobody" })],
    [delegate({ subagent_type: "reviewer" })],
    [delegate({})],
    "done",
  ];
  const nested = (_: string, request: ModelRequest): ScriptedTurn =>
    request.messages.length > 1
      ? "alone then"
      : [delegate({}), { call: { name: "ask_human", args: { question: "?" } } }];
  const model = cast(lead, nested);
  const subagents = { reviewer: { enabled: false }, researcher: { tools: ["task", "ask_human"] } };
  const { core } = await start({ model, tools: [askHuman], subagents });
  const task = await core.service.start({ ...operator, input: textInput("go") });
  await task.settled();
  const calls = await callsOf(core, task.id);
  expect(calls.map(({ outcome }) => outcome)).toEqual(["error", "error", "ok"]);
  expect(calls[0]?.result).toContain("subagent_type");
  expect(calls[1]?.result).toBe("Error: The subagent reviewer is disabled.");
  const child = childTaskId(String(calls[2]?.call), 0);
  for (const { result } of await callsOf(core, child)) expect(result).toContain("there is no tool named");
});

test("a batch runs some at a time, cuts each result, and reports inline which failed", async () => {
  const gates = new Map(["a", "b", "c"].map((name) => [name, Promise.withResolvers<void>()]));
  const model = cast([[batch(["a", "b", "c"])], "done"], (prompt) =>
    prompt === "b"
      ? [{ until: gates.get("b")!.promise }, { fail: new Error("no") }]
      : [{ until: gates.get(prompt)!.promise }, { say: `${prompt} `.repeat(500) }],
  );
  const { core, delegations } = await start({ model, subagents: { max_concurrency: 2, output_truncate: 200 } });
  const task = await core.service.start({ ...operator, input: textInput("go") });
  await model.untilCall(3);
  const of = { class: "operator", context: task.view.context };
  const call = await callIdOf(core, task.id);
  expect(delegations.running(of).map(({ id, label }) => [id, label])).toEqual([
    [call, "a"],
    [`${call}-2`, "b"],
  ]);
  gates.get("a")!.resolve();
  await model.untilCall(4);
  for (const gate of gates.values()) gate.resolve();
  await task.settled();
  const text = String((await callsOf(core, task.id))[0]?.result);
  const [, a = "", b = "", c = ""] = text.split(/^## \d\. /m);
  expect(a.startsWith("a (researcher)\n\na a a")).toBe(true);
  expect(a.length).toBeLessThan(240);
  expect(b).toBe("b (researcher)\n\nError: The model call failed.\n\n");
  expect(c.startsWith("c (researcher)")).toBe(true);
  expect(task.view.billed).toHaveLength(3);
});

test("one delegation can be canceled; who delegated reads that and continues", async () => {
  const model = cast([[delegate({})], "without it then"], () => [{ hang: true }]);
  const { core, delegations } = await start({ model });
  const task = await core.service.start({ ...operator, input: textInput("go") });
  await model.untilCall(2);
  const of = { class: "operator", context: task.view.context };
  const [running] = delegations.running(of);
  expect(await delegations.cancel({ ...of, class: "federation" }, running!.id)).toBe(false);
  expect(await delegations.cancel(of, running!.id)).toBe(true);
  await task.settled();
  expect(answerText(task)).toBe("without it then");
  expect(await callsOf(core, task.id)).toMatchObject([
    { outcome: "error", result: "Error: The delegation was canceled before it ended." },
  ]);
  expect((await core.service.get(running!.task))?.view.state).toBe("canceled");
});

test("canceling a turn cancels what it delegated, and its account has what that used (A8, A11)", async () => {
  const child = cast([[usage, batch(["a", "b"])]], (prompt, { messages }) =>
    messages.length === 1 ? [usage, { say: prompt }, { call: { name: "nothing" } }] : [{ hang: true }],
  );
  const { core } = await start({ model: child });
  const options = { unattended: true, incognito: true } as const;
  const task = await core.service.start({ ...operator, options, input: textInput("go") });
  await child.untilCall(5);
  const canceled = await core.service.cancel(task.id);
  expect(canceled.view).toMatchObject({ state: "canceled", usage: { input: 30, output: 3 } });
  expect(canceled.view.billed).toHaveLength(2);
  for (const id of canceled.view.billed!) {
    expect((await core.service.get(id))?.view.state).toBe("canceled");
    // Delegations of an unattended turn are unattended (R7).
    expect(JSON.parse((await core.journal.optionsOf(id))!)).toMatchObject({ unattended: true });
    // What may not stay of the turn may not stay of them.
    const [asked] = (await core.service.get(id))!.view.history;
    expect(asked?.from === "caller" && asked.message.metadata).toMatchObject({ incognito: true });
  }
});

test("a subagent's approval parks its task, and the turn that waits for it is alive meanwhile (R5, O3)", async () => {
  const clock = manualClock();
  const { tool, runs } = countedTool("danger", { approval: () => ({ title: "Really?", detail: "it" }) });
  const model = cast([[delegate({})], "done"], (_, { messages }) =>
    messages.length === 1 ? [{ call: { name: "danger" } }] : "it is done",
  );
  const { core } = await start({ clock, model, tools: [tool], subagents: { researcher: { tools: ["danger"] } } });
  const task = await core.service.start({ ...operator, input: textInput("go") });
  await model.untilCall(2);
  const child = childTaskId(await callIdOf(core, task.id), 0);
  expect((await (await core.service.get(child))?.settled())?.state).toBe("parked");
  await clock.advance(2_000_000);
  expect(task.view.state).toBe("running");
  await core.tasks.answer(child, { answer: "approve" });
  expect((await task.settled()).state).toBe("completed");
  expect(runs).toHaveLength(1);
});

test("a turn whose subagent shows life is not silent; one whose subagent shows none fails with it (R5)", async () => {
  const clock = manualClock();
  const more = Promise.withResolvers<void>();
  const model = cast([[delegate({})], "done"], () => [{ until: more.promise }, { say: "a" }, { hang: true }]);
  const { core } = await start({ clock, model });
  const task = await core.service.start({ ...operator, input: textInput("go") });
  await model.untilCall(2);
  await clock.advance(890_000);
  more.resolve();
  await new Promise(setImmediate);
  await clock.advance(20_000);
  expect(task.view.state).toBe("running");
  await clock.advance(900_000);
  expect((await task.settled()).failure).toMatchObject({ code: "silence" });
});

test("a turn that a kill cut short continues with the subagent it had started, and starts no second one (R3, A18)", async () => {
  const store = bench.newStore();
  const { tool, runs } = countedTool("step", { effect: "effect" });
  const options = {
    store,
    tools: [tool],
    onRestart: "resume",
    subagents: { researcher: { tools: ["step"] } },
  } as const;
  const child = (_: string, { messages }: ModelRequest): ScriptedTurn =>
    messages.length === 1 ? [usage, { call: { name: "step" } }] : [{ hang: true }];
  const before = cast([[usage, delegate({})]], child);
  const dead = (await start({ ...options, model: before })).core;
  const { id } = await dead.service.start({ ...operator, input: textInput("go") });
  await before.untilCall(3);
  const call = await callIdOf(dead, id);
  await bench.crash(dead);

  const after = cast([[usage, { say: "done" }]], () => [usage, { say: "found" }]);
  const { core } = await start({ ...options, model: after });
  const task = (await core.service.get(id))!;
  expect(await task.settled()).toMatchObject({ state: "completed", usage: { input: 40, output: 4 } });
  expect(runs).toHaveLength(1);
  const children = await core.db.read({ sql: "SELECT id FROM task WHERE parent = ?", args: [id] });
  expect(children).toEqual([[childTaskId(call, 0)]]);
  expect(await callsOf(core, id)).toMatchObject([{ name: "task", outcome: "ok", result: "found" }]);
  expect(await eventsOfKind(core, id, "delegation.finished")).toHaveLength(1);
});

test("a turn that a restart ends takes its subagents with it, and their account (A18, A11)", async () => {
  const store = bench.newStore();
  const child = (_: string, { messages }: ModelRequest): ScriptedTurn =>
    messages.length === 1 ? [usage, { call: { name: "nothing" } }] : [{ hang: true }];
  const before = cast([[usage, delegate({})]], child);
  const dead = (await start({ store, model: before })).core;
  const { id } = await dead.service.start({ ...operator, input: textInput("go") });
  await before.untilCall(3);
  const call = await callIdOf(dead, id);
  await bench.crash(dead);
  const { core } = await start({ store, model: scriptedModel([]), onRestart: "fail" });
  const failure = { code: "interrupted" };
  expect((await core.service.get(id))?.view).toMatchObject({ state: "failed", failure, usage: { input: 20 } });
  expect((await core.service.get(childTaskId(call, 0)))?.view).toMatchObject({ state: "failed", failure });
});

test("what is to run in the background is handed on, and a job that is not needed any more is stopped", async () => {
  const model = cast(
    [
      [delegate({ run_in_background: true, subagent_type: "verifier" })],
      [{ call: { name: "stop_task", args: { job_id: "bg-1" } } }],
      "done",
    ],
    () => "never",
  );
  const { core, delegations } = await start({ model });
  const spawned: unknown[] = [];
  delegations.runInBackgroundBy({
    spawn: async (of, asked) => {
      spawned.push({ of, asked });
      return ["bg-1"];
    },
    stop: async (_, id) => `${id} is canceled.`,
  });
  const task = await core.service.start({ ...operator, input: textInput("go") });
  await task.settled();
  const [first, second] = await callsOf(core, task.id);
  expect(spawned).toEqual([
    {
      of: { task: task.id, call: first?.call, outside: false },
      asked: [{ subagentType: "verifier", description: "d", prompt: "find out" }],
    },
  ]);
  expect(first?.result).toContain("bg-1");
  expect(second?.result).toBe("bg-1 is canceled.");
});

test("a turn that is canceled while the intents of its calls are being published has each call and model call closed once (EN3)", async () => {
  const aborts = (_: unknown, { signal }: { readonly signal: AbortSignal }) =>
    new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  const look = countedTool("look", { effect: "pure", run: aborts });
  const held = holdCommit("turn.tool-intent:after");
  const model = scriptedModel([[{ call: { name: "look" } }, { call: { name: "look" } }]]);
  const { core } = await start({ model, tools: [look.tool], failpoints: held.failpoints });
  const task = await core.tasks.start({ text: "?" });
  await held.reached;
  const canceling = core.tasks.cancel(task.id);
  // The loop ends while its commit is durable and not published yet.
  while (core.load().running > 0) await new Promise((resolve) => setImmediate(resolve));
  held.release();
  await canceling;
  const kinds = (await eventsOf(core, task.id)).map(({ event }) => event.kind);
  const often = (kind: string): number => kinds.filter((one) => one === kind).length;
  expect([often("model.started"), often("model.finished"), often("model.failed")]).toEqual([1, 1, 0]);
  expect([often("tool.started"), often("tool.finished"), often("task.canceled")]).toEqual([2, 2, 1]);
  expect((await callsOf(core, task.id)).map(({ outcome }) => outcome)).toEqual(["aborted", "aborted"]);
});

test.each([
  ["waived approvals", {}, [{ by: "bypass" }]],
  ["waived approvals, unattended", { unattended: true }, []],
] as const)("a subagent works under its turn's %s (F12)", async (_, more, skipped) => {
  const { tool } = countedTool("calculator", {
    approval: () => ({ title: "Add?", detail: "", bypassable: true }),
  });
  const model = cast([[delegate({})], "done"], (_prompt, { messages }) =>
    messages.at(-1)?.role === "tool" ? "4" : [{ call: { name: "calculator", args: {} } }],
  );
  const { core } = await start({ model, tools: [tool] });
  const options = { bypassApprovals: true, ...more } as const;
  const task = await core.service.start({ ...operator, options, input: textInput("go") });
  const id = () => callIdOf(core, task.id).then((call) => childTaskId(call, 0));
  await expect.poll(async () => (await core.service.get(await id()))?.view.state).toMatch(/completed|parked/);
  expect(await eventsOfKind(core, await id(), "approval.skipped")).toMatchObject(skipped);
});
