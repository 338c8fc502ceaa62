import { type AnyTool, park } from "@agent-service/plugin-sdk";
import * as v from "valibot";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import {
  answerText,
  callsOf,
  coreBench,
  countedTool,
  eventsOf,
  eventsOfKind,
  holdCommit,
  type StandardCore,
} from "../../core-bench.ts";
import { NO_USAGE } from "../../event/index.ts";
import { scriptedModel } from "../../testing/index.ts";
import { requestKey } from "../request-key.ts";
import { DirectCallError } from "./direct-calls.ts";

/** Calls that the operator makes without a model (M19). */
const bench = coreBench();
afterEach(() => bench.end());
afterAll(() => bench.remove());

/** A model that fails the test when it is asked. */
const unasked = () =>
  scriptedModel(() => {
    throw new Error("a direct call asks no model");
  });

const adder = (more: Partial<AnyTool> = {}) =>
  countedTool("add", {
    input: v.object({ a: v.number(), b: v.array(v.object({ n: v.number() })) }),
    run: ({ a, b }: { a: number; b: { n: number }[] }) => a + b.reduce((sum, { n }) => sum + n, 0),
    ...more,
  });

const args = { a: 1, b: [{ n: 2 }] };
const listed = async (core: StandardCore) =>
  (await core.features.sessions.catalog.list(10)).sessions.map(({ id }) => id);

describe.each(["pure", "idempotent", "effect"] as const)("a direct call of a tool that is %s", (effect) => {
  test("is a completed task of the operator's with the call's result, and asks no model", async () => {
    const model = unasked();
    const { tool, runs } = adder({ effect });
    const core = await bench.start({ model, tools: [tool] });
    const task = await core.directCalls.start({ tool: "add", args });
    expect(await task.settled()).toMatchObject({
      state: "completed",
      class: "operator",
      origin: "operator",
      usage: NO_USAGE,
    });
    expect(answerText(task)).toBe("3");
    expect(await core.directCalls.endOf(task.id)).toEqual({ outcome: "ok", text: "3" });
    expect([runs.length, model.calls.length]).toEqual([1, 0]);
    const kinds = (await eventsOf(core, task.id)).map(({ event }) => event.kind);
    expect(kinds).toEqual(["task.accepted", "tool.started", "tool.finished", "answer", "task.completed"]);
  });
});

test("a conversation of its own is in no list; in a named one the model reads it later", async () => {
  const model = scriptedModel(({ messages }) => JSON.stringify(messages.map(({ role }) => role)));
  const core = await bench.start({ model, tools: [adder().tool] });
  await (await core.directCalls.start({ tool: "add", args })).settled();
  const chat = await core.tasks.start({ context: "c", text: "hello" });
  await chat.settled();
  const call = await core.directCalls.start({ tool: "add", args, context: "c" });
  await call.settled();
  expect(await listed(core)).toEqual(["c"]);
  const after = await core.tasks.start({ context: "c", text: "and?" });
  await after.settled();
  expect(JSON.parse(answerText(after)!)).toEqual(["user", "assistant", "user", "assistant", "tool", "user"]);
  expect(model.calls).toHaveLength(2);
});

test("an unknown tool is refused, and arguments that do not fit, with each place", async () => {
  const { tool, runs } = adder();
  const core = await bench.start({
    model: unasked(),
    tools: [tool, countedTool("peers_only", { availableTo: ["peers"] }).tool],
  });
  const refusal = (tool: string, given: unknown) => {
    try {
      void core.directCalls.start({ tool, args: given });
    } catch (error) {
      if (error instanceof DirectCallError) return [error.code, ...error.places.map(({ path }) => path.join("."))];
    }
    return undefined;
  };
  expect(refusal("nope", {})).toEqual(["unknown_tool"]);
  expect(refusal("peers_only", {})).toEqual(["unknown_tool"]);
  expect(refusal("add", { a: "1", b: [{ n: 1 }, { n: "2" }] })).toEqual(["bad_arguments", "a", "b.1.n"]);
  expect(refusal("add", [])).toEqual(["bad_arguments", ""]);
  expect(refusal("add", undefined)).toEqual(["bad_arguments", ""]);
  expect(refusal("add", { a: "\0" })).toEqual(["bad_arguments", "a"]);
  expect(runs).toEqual([]);
});

test("approval, enforcement and a form hold as for a model's call", async () => {
  const asking = countedTool("pay", {
    approval: () => ({ title: "Pay?", detail: "5" }),
    run: () => park.form({ title: "To whom?", steps: [{ schema: {} }] }),
  });
  const enforcement = () => ({ disallowed: ["add"], rateLimits: {}, requireApproval: [] });
  const core = await bench.start({ model: unasked(), tools: [asking.tool, adder().tool], enforcement });
  const denied = await core.directCalls.start({ tool: "add", args });
  await denied.settled();
  expect(await core.directCalls.endOf(denied.id)).toMatchObject({ outcome: "denied" });
  const task = await core.directCalls.start({ tool: "pay", args: {} });
  const [approval] = (await task.settled()).prompts;
  expect(approval?.payload).toMatchObject({ kind: "approval", title: "Pay?" });
  await core.approvals.decide(approval!.promptId, { decision: "approve" });
  const [form] = (await task.settled()).prompts;
  await core.approvals.decide(form!.promptId, { decision: "decline", note: "not now" });
  await task.settled();
  expect(answerText(task)).toBe("declined\nThey say: not now");
  expect(asking.runs).toHaveLength(1);
  const declined = await core.directCalls.start({ tool: "pay", args: {} });
  const [again] = (await declined.settled()).prompts;
  await core.approvals.decide(again!.promptId, { decision: "decline" });
  await declined.settled();
  expect(await core.directCalls.endOf(declined.id)).toMatchObject({ outcome: "denied" });
  expect(asking.runs).toHaveLength(1);
});

test("one key makes one call; another request under it is refused", async () => {
  const { tool, runs } = adder();
  const core = await bench.start({ model: unasked(), tools: [tool] });
  const key = requestKey("k", ["add"]);
  const [first, second] = await Promise.all([
    core.directCalls.start({ tool: "add", args, key }),
    core.directCalls.start({ tool: "add", args, key }),
  ]);
  expect(second!.id).toBe(first!.id);
  await first!.settled();
  expect(runs).toHaveLength(1);
  const other = requestKey("k", ["sub"]);
  await expect(core.directCalls.start({ tool: "add", args, key: other })).rejects.toMatchObject({
    code: "key_conflict",
  });
});

test("a cancel aborts the call", async () => {
  const inside = Promise.withResolvers<void>();
  const { tool } = adder({
    run: () => {
      inside.resolve();
      return new Promise(() => {});
    },
  });
  const core = await bench.start({ model: unasked(), tools: [tool] });
  const task = await core.directCalls.start({ tool: "add", args });
  await inside.promise;
  await core.tasks.cancel(task.id);
  expect(task.view.state).toBe("canceled");
  expect(await core.directCalls.endOf(task.id)).toMatchObject({ outcome: "unknown" });
});

describe("a direct call that a crash left open obeys R3", () => {
  const failpoints = {
    begun: "task.accept:after",
    intent: "turn.tool-intent:after",
    outcome: "turn.close:before",
    closed: "turn.close:after",
  };
  /** Runs the call until the process dies there, and returns how it went on in the next one. */
  async function dieAt(moment: keyof typeof failpoints, more: Partial<AnyTool>) {
    const store = bench.newStore();
    const held = holdCommit(failpoints[moment]);
    const first = adder(more);
    const options = { store, model: unasked() } as const;
    const core1 = await bench.start({ ...options, tools: [first.tool], failpoints: held.failpoints });
    const started = core1.directCalls.start({ tool: "add", args });
    started.catch(() => {});
    await held.reached;
    await bench.crash(core1);
    const second = adder(more);
    const core2 = await bench.start({ ...options, tools: [second.tool] });
    const [row] = await core2.db.read({ sql: "SELECT id FROM task", args: [] });
    const task = (await core2.tasks.get(String(row?.[0])))!;
    await task.settled();
    return { core: core2, task, runs: [first.runs.length, second.runs.length] };
  }

  test.each([
    ["begun", "effect", [0, 1]],
    ["intent", "idempotent", [0, 1]],
    ["outcome", "pure", [1, 1]],
    ["closed", "effect", [1, 0]],
  ] as const)("dead when %s, %s", async (moment, effect, runs) => {
    const death = await dieAt(moment, { effect });
    expect(answerText(death.task)).toBe("3");
    expect(death.runs).toEqual(runs);
    expect(await callsOf(death.core, death.task.id)).toMatchObject([{ outcome: "ok" }]);
  });

  test("an effect without outcome is asked about, and not made again unless a person says so", async () => {
    const { core, task, runs } = await dieAt("outcome", { effect: "effect" });
    expect(task.view).toMatchObject({ state: "parked", prompts: [{ reason: "again" }] });
    await core.approvals.decide(task.view.prompts[0]!.promptId, { decision: "decline" });
    await task.settled();
    expect(await core.directCalls.endOf(task.id)).toMatchObject({ outcome: "unknown" });
    expect(runs).toEqual([1, 0]);
    expect(await eventsOfKind(core, task.id, "task.resumed")).toHaveLength(1);
  });

  test("one that kept a note continues in reattach", async () => {
    const { task, runs } = await dieAt("outcome", {
      effect: "effect",
      run: async (_, context) => {
        await context.keep("job 1");
        return "by run";
      },
      reattach: (_, { kept }) => `by ${kept as string}`,
    });
    expect(answerText(task)).toBe("by job 1");
    expect(runs).toEqual([1, 0]);
  });
});
