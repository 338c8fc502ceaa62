import { type AnyTool, park } from "@agent-service/plugin-sdk";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import {
  answerText,
  call,
  caller,
  callsOf,
  coreBench,
  countedTool,
  eventsOf,
  eventsOfKind,
  holdCommit,
} from "../core-bench.ts";
import type { AgentCore } from "../create-agent-core.ts";
import { scriptedModel } from "../testing/scripted-model.ts";
import { DEFAULT_LIMITS } from "./turn-limits.ts";

/**
 * R3, moment by moment. The first core's process "dies" at a failpoint or inside the tool; a second core takes
 * the store over with `on_restart: resume`.
 */
const bench = coreBench();
afterEach(() => bench.end());
afterAll(() => bench.remove());

type Moment = "before the intent" | "after the intent" | "inside the tool" | "before the outcome" | "after the outcome";

const FAILPOINT: Partial<Record<Moment, string>> = {
  "before the intent": "turn.tool-intent:before",
  "after the intent": "turn.tool-intent:after",
  "before the outcome": "turn.model-intent:before",
  "after the outcome": "turn.model-intent:after",
};

/** Calls `work` and then answers with its result. */
const model = () =>
  scriptedModel((request) => {
    const last = request.messages.at(-1);
    return last?.role === "tool" ? `It said: ${last.text}` : [{ call: { name: "work", args: { n: 1 } } }];
  });

interface Death {
  readonly core: AgentCore;
  readonly task: string;
  /** Runs of the tool in the first and the second process, by call id. */
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** Runs the call in a process that dies at the moment, and continues in a second one. */
async function dieAndGoOn(moment: Moment, more: Partial<AnyTool>): Promise<Death> {
  const store = bench.newStore();
  const held = holdCommit(FAILPOINT[moment] ?? "never");
  const inside = Promise.withResolvers<void>();
  const first = countedTool("work", {
    ...more,
    run: () => {
      inside.resolve();
      return moment === "inside the tool" ? new Promise(() => {}) : "worked";
    },
  });
  const options = { store, model: model(), onRestart: "resume" } as const;
  const core1 = await bench.start({ ...options, tools: [first.tool], failpoints: held.failpoints });
  const { id } = await core1.tasks.start({ text: "work" });
  await (moment === "inside the tool" ? inside.promise : held.reached);
  await bench.crash(core1);
  const second = countedTool("work", { ...more, run: more.run ?? (() => "worked again") });
  const core2 = await bench.start({ ...options, tools: [second.tool] });
  await (await core2.tasks.get(id))!.settled();
  return { core: core2, task: id, before: first.runs, after: second.runs };
}

const answerOf = async ({ core, task }: Death) => answerText((await core.tasks.get(task))!);

describe.each(["pure", "idempotent"] as const)("a call of a tool that is %s", (effect) => {
  const moments: Moment[] = ["inside the tool", "before the outcome"];
  if (effect === "idempotent") moments.push("before the intent", "after the intent");

  test.each(moments)("is made again when the process died %s", async (moment) => {
    const death = await dieAndGoOn(moment, { effect });
    expect(await answerOf(death)).toBe("It said: worked again");
    expect(death.after).toHaveLength(1);
    if (effect === "idempotent" && death.before.length > 0 && moment !== "before the intent") {
      expect(death.after).toEqual(death.before);
    }
    expect(await eventsOfKind(death.core, death.task, "task.resumed")).toHaveLength(1);
  });

  test("is not made again after its outcome (EN6)", async () => {
    const death = await dieAndGoOn("after the outcome", { effect });
    expect(await answerOf(death)).toBe("It said: worked");
    expect(death.after).toEqual([]);
  });
});

describe("a call of a tool with effects", () => {
  test("is made, once, when the process died before the intent", async () => {
    const death = await dieAndGoOn("before the intent", {});
    expect(await answerOf(death)).toBe("It said: worked again");
    expect([death.before, death.after.length]).toEqual([[], 1]);
  });

  test("is not made again after its outcome (EN6)", async () => {
    const death = await dieAndGoOn("after the outcome", {});
    expect(await answerOf(death)).toBe("It said: worked");
    expect(death.after).toEqual([]);
  });

  describe.each(["after the intent", "inside the tool", "before the outcome"] as const)("that died %s", (moment) => {
    test("takes the result of `reconcile` as its outcome", async () => {
      const asked: string[] = [];
      const reconcile: AnyTool["reconcile"] = async (_, { callId }) => {
        asked.push(callId);
        return "it had worked";
      };
      const death = await dieAndGoOn(moment, { reconcile });
      expect(await answerOf(death)).toBe("It said: it had worked");
      expect(death.after).toEqual([]);
      expect(asked).toEqual((await callsOf(death.core, death.task)).map((row) => row.call));
    });

    test("runs again under the same call id when `reconcile` reports that it did not happen", async () => {
      const death = await dieAndGoOn(moment, { reconcile: async () => undefined });
      expect(await answerOf(death)).toBe("It said: worked again");
      expect(death.after).toEqual((await callsOf(death.core, death.task)).map((row) => row.call));
    });

    test.each([
      ["cannot tell", { reconcile: () => Promise.reject(new Error("who knows")) }],
      ["is not there", {}],
    ])("asks a person when `reconcile` %s; approving runs it once more", async (_, more) => {
      const death = await dieAndGoOn(moment, more);
      const task = (await death.core.tasks.get(death.task))!;
      expect(task.view).toMatchObject({
        state: "parked",
        prompts: [{ reason: "again", tool: "work", payload: { kind: "approval", tool: "work", args: { n: 1 } } }],
      });
      expect(JSON.stringify(task.view.prompts)).toContain("Did this happen?");
      expect(death.after).toEqual([]);
      await death.core.tasks.answer(death.task, { answer: "yes" });
      await task.settled();
      expect(await answerOf(death)).toBe("It said: worked again");
      expect(death.after).toEqual((await callsOf(death.core, death.task)).map((row) => row.call));
    });

    test("stays `unknown` when the person declines, and the same call then needs approval in that context", async () => {
      const death = await dieAndGoOn(moment, {});
      await death.core.tasks.answer(death.task, { answer: "no" });
      const task = (await death.core.tasks.get(death.task))!;
      await task.settled();
      expect(await answerOf(death)).toContain("a person decided not to run it again");
      expect(await callsOf(death.core, death.task)).toMatchObject([{ outcome: "unknown" }]);
      const again = await death.core.tasks.start({ context: task.view.context, text: "work" });
      expect(await again.settled()).toMatchObject({ state: "parked", prompts: [{ reason: "before" }] });
      const elsewhere = await death.core.tasks.start({ text: "work" });
      expect(await elsewhere.settled()).toMatchObject({ state: "completed" });
      expect(death.after).toHaveLength(1);
    });
  });

  test("that timed out needs approval for the same arguments, and for no others", async () => {
    const { tool, runs } = countedTool("work", { timeoutMs: 1, run: () => new Promise(() => {}) });
    let n = 1;
    const calls = scriptedModel((request) =>
      request.messages.at(-1)?.role === "tool" ? "Well." : [{ call: { name: "work", args: { n } } }],
    );
    const core = await bench.start({ model: calls, tools: [tool] });
    const start = async () => (await core.tasks.start({ context: "c", text: "?" })).settled();
    expect(await start()).toMatchObject({ state: "completed" });
    expect(await start()).toMatchObject({ state: "parked", prompts: [{ reason: "before" }] });
    n = 2;
    expect(await start()).toMatchObject({ state: "completed" });
    expect(runs).toHaveLength(2);
  });

  test("that was approved, died and was approved again runs under its one id", async () => {
    const store = bench.newStore();
    const inside = Promise.withResolvers<void>();
    const approval = () => ({ title: "Work?", detail: "" });
    const first = countedTool("work", {
      approval,
      run: () => {
        inside.resolve();
        return new Promise(() => {});
      },
    });
    const options = { store, model: model(), onRestart: "resume" } as const;
    const core1 = await bench.start({ ...options, tools: [first.tool] });
    const task = await core1.tasks.start({ text: "work" });
    await task.settled();
    await core1.tasks.answer(task.id, { answer: "approve" });
    await inside.promise;
    await bench.crash(core1);
    const second = countedTool("work", { approval });
    const core2 = await bench.start({ ...options, tools: [second.tool] });
    const again = (await core2.tasks.get(task.id))!;
    expect(await again.settled()).toMatchObject({ state: "parked", prompts: [{ reason: "again" }] });
    await core2.tasks.answer(task.id, { answer: "approve" });
    expect(await again.settled()).toMatchObject({ state: "completed" });
    expect(second.runs).toEqual(first.runs);
    expect(await callsOf(core2, task.id)).toMatchObject([{ outcome: "ok" }]);
  });
});

describe("a call that had parked inside (A13)", () => {
  test.each(["pure", "effect"] as const)(
    "continues in `resume` after a crash there, never from its top (%s)",
    async (effect) => {
      const store = bench.newStore();
      const inside = Promise.withResolvers<void>();
      const question = () => park.question("How many?");
      const reconcile = async () => undefined;
      const first = countedTool("work", {
        effect,
        reconcile,
        run: question,
        resume: () => {
          inside.resolve();
          return new Promise<never>(() => {});
        },
      });
      const options = { store, model: model(), onRestart: "resume" } as const;
      const core1 = await bench.start({ ...options, tools: [first.tool] });
      const task = await core1.tasks.start({ text: "work" });
      await task.settled();
      await core1.tasks.answer(task.id, { answer: "three" });
      await inside.promise;
      await bench.crash(core1);
      const resumed: unknown[] = [];
      const second = countedTool("work", {
        effect,
        reconcile,
        run: question,
        resume: (_, answer) => {
          resumed.push(answer);
          return "got three";
        },
      });
      const core2 = await bench.start({ ...options, tools: [second.tool] });
      const again = (await core2.tasks.get(task.id))!;
      expect(await again.settled()).toMatchObject({ state: "completed" });
      expect(answerText(again)).toBe("It said: got three");
      expect(resumed).toEqual([{ kind: "question", text: "three" }]);
      expect([first.runs.length, second.runs.length]).toEqual([1, 0]);
    },
  );
});

test("an answered call that died in `resume`, and its outcome cannot be found out, is not resumed by itself (R3)", async () => {
  const store = bench.newStore();
  const inside = Promise.withResolvers<void>();
  const resumed: unknown[] = [];
  const work = (resume: NonNullable<AnyTool["resume"]>) =>
    countedTool("work", { effect: "effect", run: () => park.question("How many?"), resume }).tool;
  const options = { store, model: model(), onRestart: "resume" } as const;
  const hanging = work(() => {
    inside.resolve();
    return new Promise<never>(() => {});
  });
  const core1 = await bench.start({ ...options, tools: [hanging] });
  const task = await core1.tasks.start({ text: "work" });
  await task.settled();
  await core1.tasks.answer(task.id, { answer: "three" });
  await inside.promise;
  await bench.crash(core1);
  const second = work((_, answer) => {
    resumed.push(answer);
    return "got three";
  });
  const core2 = await bench.start({ ...options, tools: [second] });
  const again = (await core2.tasks.get(task.id))!;
  expect(await again.settled()).toMatchObject({ state: "parked", prompts: [{ payload: { kind: "approval" } }] });
  expect(resumed).toEqual([]);
});

test("a step that died half-way keeps the outcomes it has and makes the rest", async () => {
  const store = bench.newStore();
  const inside = Promise.withResolvers<void>();
  const begun: number[] = [];
  const tool = (process: number) =>
    countedTool("work", {
      effect: "idempotent",
      run: (input) => {
        const { n } = input as { n: number };
        begun.push(process * 100 + n);
        if (process === 1 && n === 3) {
          inside.resolve();
          return new Promise(() => {});
        }
        return `${process}:${n}`;
      },
    });
  const calls = [1, 2, 3, 4].map((n) => ({ call: { name: "work", args: { n } } }));
  const steps = () =>
    scriptedModel((request) => {
      const texts = request.messages.flatMap((message) => (message.role === "tool" ? [message.text] : []));
      return texts.length > 0 ? texts.join(" ") : calls;
    });
  const limits = { parallelCalls: 1 };
  const core1 = await bench.start({ store, model: steps(), tools: [tool(1).tool], onRestart: "resume", limits });
  const task = await core1.tasks.start({ text: "?" });
  await inside.promise;
  await bench.crash(core1);
  const core2 = await bench.start({ store, model: steps(), tools: [tool(2).tool], onRestart: "resume", limits });
  const again = (await core2.tasks.get(task.id))!;
  await again.settled();
  expect(answerText(again)).toBe("1:1 1:2 2:3 2:4");
  expect(begun).toEqual([101, 102, 103, 203, 204]);
  expect(limits.parallelCalls).toBeLessThan(DEFAULT_LIMITS.parallelCalls);
  const events = await eventsOf(core2, task.id);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, i) => i + 1));
});

test("a call that a crash cut off may have happened, also where its tool is gone (R3)", async () => {
  const begun = Promise.withResolvers<void>();
  const { tool, runs } = countedTool("pay", {
    run: () => {
      begun.resolve();
      return new Promise<string>(() => {});
    },
  });
  const options = {
    store: bench.newStore(),
    model: caller([call("pay", { amount: 1 })]),
    onRestart: "resume",
  } as const;
  const core = await bench.start({ ...options, tools: [tool] });
  const { id } = await core.tasks.start({ text: "go" });
  await begun.promise;
  await bench.crash(core);
  const again = await bench.start({ ...options, tools: [] });
  const task = (await again.tasks.get(id))!;
  await task.settled();
  expect(await callsOf(again, id)).toMatchObject([{ name: "pay", outcome: "unknown" }]);
  expect(answerText(task)).toContain("may have happened. There is no tool named pay any more.");
  expect(runs).toHaveLength(1);
});
