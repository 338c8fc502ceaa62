import { park, toolResult } from "@agent-service/plugin-sdk";
import * as v from "valibot";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { answerText, callsOf, coreBench, countedTool, eventsOf, eventsOfKind } from "../core-bench.ts";
import { DatabaseError } from "../database/index.ts";
import { manualClock } from "../testing/manual-clock.ts";
import { scriptedModel } from "../testing/scripted-model.ts";
import { DEFAULT_LIMITS } from "./turn-limits.ts";

const bench = coreBench();
afterEach(() => bench.end());
afterAll(() => bench.remove());

const hang = () => new Promise<never>(() => {});

/** What the model reads of the calls of the step before its `nth` call. */
const results = (model: ReturnType<typeof scriptedModel>, nth: number): string[] =>
  model.calls[nth - 1]!.request.messages.flatMap((message) => (message.role === "tool" ? [message.text] : []));

describe("a failing call becomes a result the model reads, and the turn continues (R4)", () => {
  const strict = (more: object) => countedTool("strict", { input: v.object({ n: v.number() }), ...more }).tool;
  test.each([
    ["an unknown tool", "nope", {}, /there is no tool named "nope". Tools: strict/],
    ["arguments that are no JSON", "strict", '{"n":', /Invalid arguments for strict/],
    ["arguments that do not fit", "strict", { n: "one" }, /Invalid arguments for strict: n: /],
  ])("%s", async (_, name, args, expected) => {
    const model = scriptedModel([[{ call: { name, args } }], "I see."]);
    const core = await bench.start({ model, tools: [strict({})] });
    const task = await core.tasks.start({ text: "?" });
    expect(await task.settled()).toMatchObject({ state: "completed" });
    expect(results(model, 2)[0]).toMatch(expected);
    expect(await callsOf(core, task.id)).toMatchObject([{ name, outcome: "error" }]);
    expect(await eventsOfKind(core, task.id, "tool.finished")).toMatchObject([{ name, outcome: "error" }]);
  });

  test.each([
    ["an error", () => Promise.reject(new Error("the disk is gone")), /^Error: the disk is gone$/],
    ["something that is no error", () => Promise.reject({ odd: 1 }), /^Error: \{"odd":1\}$/],
    [
      "at once",
      () => {
        throw new TypeError("not async");
      },
      /^Error: not async$/,
    ],
  ])("a tool that throws %s", async (_, run, expected) => {
    const { tool } = countedTool("bad", { run: run as never });
    const model = scriptedModel([[{ call: { name: "bad" } }], "I see."]);
    const core = await bench.start({ model, tools: [tool] });
    await (await core.tasks.start({ text: "?" })).settled();
    expect(results(model, 2)[0]).toMatch(expected);
  });

  test.each([
    ["pure", "error", /timed out after 120 s\.$/],
    ["idempotent", "error", /timed out after 120 s\.$/],
    ["effect", "unknown", /may have happened/],
  ] as const)("a hanging %s tool ends after 120 s as %s", async (effect, outcome, expected) => {
    const clock = manualClock();
    const started = Promise.withResolvers<AbortSignal>();
    const { tool } = countedTool("slow", {
      effect,
      run: (_, { signal }) => {
        started.resolve(signal);
        return hang();
      },
    });
    const model = scriptedModel([[{ call: { name: "slow" } }], "I see."]);
    const core = await bench.start({ model, tools: [tool], clock });
    const task = await core.tasks.start({ text: "?" });
    const signal = await started.promise;
    await clock.advance(119_999);
    expect(signal.aborted).toBe(false);
    await clock.advance(1);
    expect(await task.settled()).toMatchObject({ state: "completed" });
    expect(signal.aborted).toBe(true);
    expect(results(model, 2)[0]).toMatch(expected);
    expect(await callsOf(core, task.id)).toMatchObject([{ outcome }]);
  });

  test("a result of 50 MB is cut, and the events hold 800 characters of it", async () => {
    const { tool } = countedTool("big", { run: () => "x".repeat(50 * 1024 * 1024) });
    const model = scriptedModel([[{ call: { name: "big" } }], "Big."]);
    const core = await bench.start({ model, tools: [tool] });
    const task = await core.tasks.start({ text: "?" });
    await task.settled();
    expect(results(model, 2)[0]!.length).toBeLessThanOrEqual(100_000);
    const [finished] = await eventsOfKind(core, task.id, "tool.finished");
    expect(finished!.result).toHaveLength(800);
  });

  test("a time-out that did not happen after all is an ordinary error (R3)", async () => {
    const { tool } = countedTool("pay", { timeoutMs: 5, run: hang, reconcile: async () => undefined });
    const model = scriptedModel([[{ call: { name: "pay" } }], "I see."]);
    const core = await bench.start({ model, tools: [tool] });
    const task = await core.tasks.start({ text: "?" });
    await task.settled();
    expect(results(model, 2)[0]).toBe("Error: The call timed out after 0 s; it did not happen.");
    expect(await callsOf(core, task.id)).toMatchObject([{ outcome: "error" }]);
  });

  test("a time-out that did happen is a result", async () => {
    const { tool } = countedTool("pay", { timeoutMs: 5, run: hang, reconcile: async () => ({ paid: 5 }) });
    const model = scriptedModel([[{ call: { name: "pay" } }], "I see."]);
    const core = await bench.start({ model, tools: [tool] });
    const task = await core.tasks.start({ text: "?" });
    await task.settled();
    expect(results(model, 2)[0]).toBe('{"paid":5}');
    expect(await callsOf(core, task.id)).toMatchObject([{ outcome: "ok" }]);
  });
});

describe("parallel calls", () => {
  test("run 8 at a time, every result lands at its call", async () => {
    let running = 0;
    let most = 0;
    const { tool, runs } = countedTool("step", {
      run: async (input) => {
        most = Math.max(most, ++running);
        await new Promise((resolve) => setImmediate(resolve));
        running--;
        return `n=${(input as { n: number }).n}`;
      },
    });
    const calls = Array.from({ length: 30 }, (_, n) => ({ call: { name: "step", args: { n } } }));
    const model = scriptedModel([calls, "All."]);
    const core = await bench.start({ model, tools: [tool] });
    const task = await core.tasks.start({ text: "?" });
    expect(await task.settled()).toMatchObject({ state: "completed" });
    expect(most).toBe(DEFAULT_LIMITS.parallelCalls);
    expect(new Set(runs).size).toBe(30);
    expect(results(model, 2)).toEqual(calls.map((_, n) => `n=${n}`));
    expect((await callsOf(core, task.id)).every((call) => call.outcome === "ok")).toBe(true);
  });

  test("of which one fails do not disturb the others", async () => {
    const good = countedTool("good");
    const bad = countedTool("bad", { run: () => Promise.reject(new Error("no")) });
    const model = scriptedModel([
      [{ call: { name: "bad" } }, { call: { name: "good" } }, { call: { name: "gone" } }],
      "Mixed.",
    ]);
    const core = await bench.start({ model, tools: [good.tool, bad.tool] });
    await (await core.tasks.start({ text: "?" })).settled();
    expect(results(model, 2)).toEqual(["Error: no", "good done", expect.stringContaining("no tool named")]);
  });

  test("of which one is slow commit each outcome by itself (EN8)", async () => {
    const gate = Promise.withResolvers<void>();
    const slow = countedTool("slow", { run: () => gate.promise.then(() => "slow done") });
    const quick = countedTool("quick");
    const model = scriptedModel([[{ call: { name: "slow" } }, { call: { name: "quick" } }], "Both."]);
    const core = await bench.start({ model, tools: [slow.tool, quick.tool] });
    let outcome: (() => void) | undefined;
    const seen = new Promise<void>((resolve) => (outcome = resolve));
    core.journal.onCommit((_, events) => {
      if (events.some(({ event }) => event.kind === "tool.finished" && event.name === "quick")) outcome?.();
    });
    const task = await core.tasks.start({ text: "?" });
    await seen;
    expect(await callsOf(core, task.id)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: "slow", outcome: null }),
        expect.objectContaining({ name: "quick", outcome: "ok", result: "quick done" }),
      ]),
    );
    gate.resolve();
    await task.settled();
    expect(answerText(task)).toBe("Both.");
  });
});

describe("intents and outcomes (EN5)", () => {
  test("an effect's intent is committed before it runs", async () => {
    let rows: unknown;
    const { tool } = countedTool("write", {
      run: async (_, { taskId }) => {
        rows = await callsOf(core, taskId);
        return "written";
      },
    });
    const core = await bench.start({ model: scriptedModel([[{ call: { name: "write" } }], "Done."]), tools: [tool] });
    await (await core.tasks.start({ text: "?" })).settled();
    expect(rows).toMatchObject([{ name: "write", outcome: null }]);
  });

  test("a quick pure call shares its outcome's commit; a slow one is shown while it runs", async () => {
    const labels: string[] = [];
    const hit = (name: string): void => void labels.push(name);
    const clock = manualClock();
    const gate = Promise.withResolvers<void>();
    const quick = countedTool("quick", { effect: "pure" });
    const slow = countedTool("slow", { effect: "pure", run: () => gate.promise });
    const model = scriptedModel([[{ call: { name: "quick" } }], [{ call: { name: "slow" } }], "Done."]);
    const core = await bench.start({ model, tools: [quick.tool, slow.tool], clock, failpoints: { hit } });
    const task = await core.tasks.start({ text: "?" });
    await model.untilCall(2);
    expect(labels.filter((label) => label.endsWith(":before"))).toEqual([
      "task.accept:before",
      "turn.model-intent:before",
    ]);
    while (slow.runs.length === 0) await clock.advance(0);
    await clock.advance(10);
    // Both may have started in the same millisecond.
    expect(await callsOf(core, task.id)).toContainEqual(expect.objectContaining({ name: "slow", outcome: null }));
    gate.resolve();
    await task.settled();
    expect((await callsOf(core, task.id)).map((call) => call.outcome)).toEqual(["ok", "ok"]);
  });

  test("each call's id is ours and unique, whatever the provider calls it", async () => {
    const { tool, runs } = countedTool("count");
    const model = scriptedModel([
      [{ call: { name: "count", id: "call_1" } }, { call: { name: "count", id: "call_1" } }],
      "2",
    ]);
    const core = await bench.start({ model, tools: [tool] });
    await (await core.tasks.start({ text: "?" })).settled();
    expect(new Set(runs).size).toBe(2);
    expect(runs).not.toContain("call_1");
  });

  test("a component is shown with its call's outcome", async () => {
    const component = { component: "table", props: { rows: [1] } };
    const { tool } = countedTool("show", { run: () => toolResult({ text: "shown", component }) });
    const core = await bench.start({ model: scriptedModel([[{ call: { name: "show" } }], "Look."]), tools: [tool] });
    const task = await core.tasks.start({ text: "?" });
    expect((await task.settled()).components).toMatchObject([{ component }]);
  });
});

describe("a store that cannot take a step (architecture rule 8, EN9)", () => {
  test("for a while is waited for; nothing is lost and nothing runs twice", async () => {
    const clock = manualClock();
    const tries = Array.from({ length: 4 }, () => Promise.withResolvers<void>());
    let refused = 0;
    const hit = (name: string): void => {
      if (name !== "turn.model-intent:before") return;
      tries[refused]?.resolve();
      if (refused++ < 3) throw new DatabaseError("full", "the disk is full");
    };
    const { tool, runs } = countedTool("write");
    const model = scriptedModel([[{ call: { name: "write" } }], "Done."]);
    const core = await bench.start({ model, tools: [tool], clock, failpoints: { hit } });
    const task = await core.tasks.start({ text: "?" });
    for (const { promise } of tries.slice(0, 3)) {
      await promise;
      // Lets what was refused set its timer before the time advances.
      await clock.advance(1_000);
    }
    await task.settled();
    expect(runs).toHaveLength(1);
    expect(refused).toBe(4);
    const events = await eventsOf(core, task.id);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, i) => i + 1));
    expect(await callsOf(core, task.id)).toMatchObject([{ outcome: "ok" }]);
  });

  test("because a delta in front of it failed tries again (JO5, JO6)", async () => {
    let refused = 0;
    const hit = (name: string): void => {
      if (name === "turn.delta:before" && refused++ === 0) throw new DatabaseError("full", "the disk is full");
    };
    const core = await bench.start({ model: scriptedModel([[{ say: "He" }, { say: "llo" }]]), failpoints: { hit } });
    const task = await core.tasks.start({ text: "?" });
    for await (const _ of task.follow(0, new AbortController().signal));
    expect(task.view.state).toBe("completed");
    expect(answerText(task)).toBe("Hello");
    const events = await eventsOf(core, task.id);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, i) => i + 1));
  });

  test("for good ends the task as an internal failure with its calls closed (EN3)", async () => {
    const warnings: string[] = [];
    const log = { info: () => {}, warn: (message: string) => void warnings.push(message) };
    const gate = Promise.withResolvers<void>();
    const slow = countedTool("slow", { run: () => gate.promise });
    const quick = countedTool("quick");
    const hit = (name: string): void => {
      if (name === "turn.tool-outcome:before") throw new DatabaseError("constraint", "a row is wrong");
    };
    const model = scriptedModel([[{ call: { name: "slow" } }, { call: { name: "quick" } }]]);
    const core = await bench.start({ model, tools: [slow.tool, quick.tool], log, failpoints: { hit } });
    const task = await core.tasks.start({ text: "?" });
    expect(await task.settled()).toMatchObject({ state: "failed", failure: { code: "internal" } });
    expect((await callsOf(core, task.id)).every((call) => call.outcome !== null)).toBe(true);
    const kinds = (await eventsOf(core, task.id)).map(({ event }) => event.kind);
    expect(kinds.filter((kind) => kind.startsWith("tool."))).toEqual([
      "tool.started",
      "tool.started",
      "tool.finished",
      "tool.finished",
    ]);
    expect(warnings.join()).toContain("a row is wrong");
    gate.resolve();
  });
});

test("an unused park returned as a result parks, whatever else the step did (A13)", async () => {
  const asks = countedTool("asks", { run: () => park.question("Which one?") });
  const other = countedTool("other");
  const model = scriptedModel([[{ call: { name: "asks" } }, { call: { name: "other" } }], "Thanks."]);
  const core = await bench.start({ model, tools: [asks.tool, other.tool] });
  const task = await core.tasks.start({ text: "?" });
  expect(await task.settled()).toMatchObject({ state: "parked", prompts: [{ payload: { question: "Which one?" } }] });
  expect(other.runs).toHaveLength(1);
  await core.tasks.answer(task.id, { answer: "that one" });
  await task.settled();
  expect(results(model, 2)).toEqual(["that one", "other done"]);
  expect(asks.runs).toHaveLength(1);
});
