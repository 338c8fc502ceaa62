import {
  type AnyTool,
  OutcomeUnknownError,
  type Park,
  type ParkAnswer,
  park,
  type ToolContext,
  type ToolOutput,
} from "@agent-service/plugin-sdk";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { answerText, call, caller, callsOf, coreBench, countedTool, eventsOfKind, textInput } from "../core-bench.ts";
import { manualClock } from "../testing/manual-clock.ts";
import { scriptedModel } from "../testing/scripted-model.ts";
import { DEFAULT_LIMITS } from "./turn-limits.ts";

/** What the engine makes of the tool contract, and what it states that this version does not do yet. */
const bench = coreBench();
afterEach(() => bench.end());
afterAll(() => bench.remove());

describe("a tool that throws OutcomeUnknownError", () => {
  const lost = (more: Partial<AnyTool> = {}) =>
    countedTool("send", { run: () => Promise.reject(new OutcomeUnknownError("the connection was lost")), ...more });

  test("has the outcome unknown, and the same call is asked about from then on (R3)", async () => {
    const { tool, runs } = lost();
    const core = await bench.start({ model: caller([call("send", { to: "Ann" })]), tools: [tool] });
    const first = await core.tasks.start({ context: "c", text: "send it" });
    expect(await first.settled()).toMatchObject({ state: "completed" });
    expect(answerText(first)).toBe("The call ended in doubt and may have happened: the connection was lost");
    expect(await callsOf(core, first.id)).toMatchObject([{ outcome: "unknown" }]);
    const second = await core.tasks.start({ context: "c", text: "send it" });
    expect(await second.settled()).toMatchObject({
      state: "parked",
      prompts: [{ payload: { title: "Run send although it may have happened?" } }],
    });
    expect(runs).toHaveLength(1);
  });

  test.each([
    ["happened", async (): Promise<string> => "receipt 7", "ok", "receipt 7"],
    [
      "did not happen",
      async (): Promise<undefined> => undefined,
      "error",
      "Error: The call ended in doubt; it did not happen: the connection was lost",
    ],
  ] as const)("is asked whether it happened: it %s", async (_, reconcile, outcome, text) => {
    const { tool } = lost({ reconcile });
    const core = await bench.start({ model: caller([call("send")]), tools: [tool] });
    const task = await core.tasks.start({ text: "send it" });
    await task.settled();
    expect(answerText(task)).toBe(text);
    expect(await callsOf(core, task.id)).toMatchObject([{ outcome }]);
  });

  test.each(["pure", "idempotent"] as const)(
    "is an ordinary error where calling again is safe (%s)",
    async (effect) => {
      const core = await bench.start({ model: caller([call("send")]), tools: [lost({ effect }).tool] });
      const task = await core.tasks.start({ text: "send it" });
      await task.settled();
      expect(answerText(task)).toBe("Error: the connection was lost");
      expect(await callsOf(core, task.id)).toMatchObject([{ outcome: "error" }]);
    },
  );

  test("is known by its code, also from another copy of the package", async () => {
    const run = () => Promise.reject(Object.assign(new Error("gone"), { code: "tool.outcome-unknown" }));
    const core = await bench.start({ model: caller([call("send")]), tools: [lost({ run }).tool] });
    const task = await core.tasks.start({ text: "send it" });
    await task.settled();
    expect(await callsOf(core, task.id)).toMatchObject([{ outcome: "unknown" }]);
  });
});

describe("a call that parks again", () => {
  const STEPS = ["Where to?", "When?", "How many?"];
  /** Asks all questions, one at a time, and returns the answers in the order it was given them. */
  const booking = (effect: "pure" | "effect", onResume: () => Promise<void> = async () => {}) =>
    countedTool("book", {
      effect,
      reconcile: async () => undefined,
      run: () => park.question(STEPS[0]!),
      resume: async (_: unknown, answer: ParkAnswer, { earlierAnswers }: ToolContext): Promise<ToolOutput | Park> => {
        const answers = [...earlierAnswers, answer];
        await onResume();
        const next = STEPS[answers.length];
        if (next !== undefined) return park.question(next);
        return answers.map((one) => (one.kind === "question" ? one.text : "?")).join(", ");
      },
    });

  test("asks one question after the other and reads every answer, oldest first", async () => {
    const { tool, runs } = booking("effect");
    const core = await bench.start({ model: caller([call("book")]), tools: [tool], clock: manualClock() });
    const task = await core.tasks.start({ text: "book" });
    for (const [index, answer] of ["Oslo", "Monday", "three"].entries()) {
      expect(await task.settled()).toMatchObject({
        state: "parked",
        prompts: [{ reason: "inside", payload: { question: STEPS[index] } }],
      });
      await core.service.answer(task.id, { class: "operator", input: textInput(answer) });
    }
    expect(await task.settled()).toMatchObject({ state: "completed" });
    expect(answerText(task)).toBe("Oslo, Monday, three");
    expect(runs).toHaveLength(1);
    expect(await callsOf(core, task.id)).toMatchObject([{ outcome: "ok", result: "Oslo, Monday, three" }]);
  });

  test.each(["pure", "effect"] as const)(
    "continues in resume after a crash there, with all answers (%s)",
    async (effect) => {
      const store = bench.newStore();
      const inside = Promise.withResolvers<void>();
      let resumes = 0;
      const first = booking(effect, async () => {
        if (++resumes < 3) return;
        inside.resolve();
        await new Promise(() => {});
      });
      const options = { store, model: caller([call("book")]), onRestart: "resume" } as const;
      const core1 = await bench.start({ ...options, tools: [first.tool] });
      const task = await core1.tasks.start({ text: "book" });
      for (const answer of ["Oslo", "Monday", "three"]) {
        await task.settled();
        await core1.tasks.answer(task.id, { answer });
      }
      await inside.promise;
      await bench.crash(core1);
      const second = booking(effect);
      const core2 = await bench.start({ ...options, tools: [second.tool] });
      const again = (await core2.tasks.get(task.id))!;
      expect(await again.settled()).toMatchObject({ state: "completed" });
      expect(answerText(again)).toBe("Oslo, Monday, three");
      expect([first.runs.length, second.runs.length]).toEqual([1, 0]);
    },
  );
});

describe("a form that is declined (A13)", () => {
  const form = (more: Partial<AnyTool> = {}) =>
    countedTool("book", { run: () => park.form({ title: "Book", steps: [{ schema: {} }] }), ...more }).tool;
  const decline = (promptId: string) => ({
    messageId: "m2",
    parts: [{ kind: "data" as const, data: { promptId, decline: true, note: "ask Bob" } }],
  });

  test("is the result `declined`, with the note beside it", async () => {
    const core = await bench.start({ model: caller([call("book")]), tools: [form()] });
    const task = await core.tasks.start({ text: "book" });
    const [prompt] = (await task.settled()).prompts;
    await core.service.answer(task.id, { class: "federation", input: decline(prompt!.promptId) });
    expect(await task.settled()).toMatchObject({ state: "completed" });
    expect(answerText(task)).toBe("declined\nThey say: ask Bob");
  });

  test("reaches `resume`", async () => {
    const resume = (_: unknown, answer: ParkAnswer) => JSON.stringify(answer);
    const core = await bench.start({ model: caller([call("book")]), tools: [form({ resume })] });
    const task = await core.tasks.start({ text: "book" });
    const [prompt] = (await task.settled()).prompts;
    await core.service.answer(task.id, { class: "operator", input: decline(prompt!.promptId) });
    await task.settled();
    expect(JSON.parse(answerText(task)!)).toEqual({ kind: "form", declined: true, note: "ask Bob" });
  });
});

test("progress is a sign of life while the call runs, and nothing once it has ended", async () => {
  const clock = manualClock();
  const contexts: ToolContext[] = [];
  const { tool } = countedTool("dig", {
    timeoutMs: null,
    run: (_, context) => {
      contexts.push(context);
      return new Promise(() => {});
    },
  });
  const model = scriptedModel([[{ call: { name: "dig" } }]]);
  const core = await bench.start({ model, tools: [tool], clock });
  const task = await core.tasks.start({ text: "?" });
  const settled = task.settled();
  await model.untilCall(1);
  while (contexts.length === 0) await clock.advance(0);
  for (let times = 0; times < 4; times++) {
    await clock.advance(DEFAULT_LIMITS.silenceMs - 10_000);
    contexts[0]!.progress("still digging");
  }
  expect(task.view.state).toBe("running");
  await clock.advance(DEFAULT_LIMITS.silenceMs + 6_000);
  expect(await settled).toMatchObject({ state: "failed", failure: { code: "silence" } });
  contexts[0]!.progress("too late");
});

test("progress is published, the newest text of a quarter of a second, until the call ends", async () => {
  const clock = manualClock();
  const begun = Promise.withResolvers<ToolContext>();
  const gate = Promise.withResolvers<string>();
  const { tool } = countedTool("dig", {
    run: (_, context) => {
      begun.resolve(context);
      return gate.promise;
    },
  });
  const core = await bench.start({ model: caller([call("dig")]), tools: [tool], clock });
  const abort = new AbortController();
  const pages = core.bus.follow(undefined, abort.signal);
  const task = await core.tasks.start({ text: "?" });
  const context = await begun.promise;
  for (const text of ["1 m", "2 m", "3 m"]) context.progress(text);
  await clock.advance(250);
  context.progress("4 m");
  gate.resolve("done");
  await task.settled();
  await clock.advance(250);
  context.progress("5 m");
  const page = await pages.next();
  abort.abort();
  const events: readonly { readonly text: string }[] = page.value ?? [];
  const texts = events.flatMap(({ text }) => text.match(/"phase":"tool_progress","text":"[^"]*"/g) ?? []);
  expect(texts).toEqual(["1 m", "3 m"].map((text) => `"phase":"tool_progress","text":"${text}"`));
});

test("settings that require approval ask with the tool's own text", async () => {
  const { tool } = countedTool("pay", { present: { asks: "Pay {sum} to {to}?" } });
  const plain = countedTool("plain").tool;
  const enforcement = () => ({ disallowed: [], rateLimits: {}, requireApproval: ["*"] });
  const calls = [call("pay", { sum: 5, to: "Ann" }), call("plain")];
  const core = await bench.start({ model: caller(calls), tools: [tool, plain], enforcement });
  const task = await core.tasks.start({ text: "go" });
  expect((await task.settled()).prompts.map(({ payload }) => payload)).toMatchObject([
    { title: "Pay 5 to Ann?", tool: "pay", args: { sum: 5, to: "Ann" } },
    { title: "Run plain?" },
  ]);
});

test("a tool whose template cannot be read is registered without its texts", async () => {
  const { tool } = countedTool("pay", { present: { asks: "Pay {" } });
  const warnings: string[] = [];
  const log = { info: () => {}, warn: (message: string) => void warnings.push(message) };
  const core = await bench.start({ model: caller([call("pay")]), tools: [tool], log });
  const task = await core.tasks.start({ text: "go" });
  await task.settled();
  expect(answerText(task)).toBe("pay done");
  expect(warnings).toEqual([expect.stringContaining("pay: ")]);
});

test("the texts of a tool are parsed once, when it is registered, and not for each of its calls", async () => {
  let reads = 0;
  const present = {
    get doing() {
      reads++;
      return "Paying {sum}";
    },
    get done() {
      reads++;
      return "Paid {sum}";
    },
  };
  const { tool } = countedTool("pay", { present });
  const core = await bench.start({ model: caller([1, 2, 3].map((sum) => call("pay", { sum }))), tools: [tool] });
  expect(reads).toBe(2);
  const task = await core.tasks.start({ text: "go" });
  await task.settled();
  const titled = [1, 2, 3].map((sum) => expect.objectContaining({ title: `Paid ${sum}` }) as unknown);
  expect(await eventsOfKind(core, task.id, "tool.finished")).toEqual(expect.arrayContaining(titled));
  expect(reads).toBe(2);
});

test("a tool exists only in the turns it is for", async () => {
  const tools = (["lead", "subagents", "peers"] as const).map(
    (audience) => countedTool(`of_${audience}`, { availableTo: [audience] }).tool,
  );
  const model = scriptedModel(() => "hello");
  const core = await bench.start({ model, tools: [...tools, countedTool("of_all").tool] });
  const shown = async (callerClass: string) => {
    const task = await core.service.start({
      class: callerClass,
      origin: "a2a",
      context: callerClass,
      input: textInput("hi"),
    });
    await task.settled();
    return model.calls.at(-1)?.request.tools.map(({ name }) => name);
  };
  expect(await shown("operator")).toEqual(["of_lead", "of_all"]);
  expect(await shown("federation")).toEqual(["of_peers", "of_all"]);
});

test("a tool learns on whose behalf it is called, and that the conversation holds content from outside", async () => {
  const seen: ToolContext[] = [];
  const fetching = countedTool("fetch", { content: "outside", run: () => "a page" }).tool;
  const { tool } = countedTool("look", {
    run: (_, context) => {
      seen.push(context);
      return "ok";
    },
  });
  const model = scriptedModel([[call("fetch")], [call("look")], "done"]);
  const core = await bench.start({ model, tools: [fetching, tool] });
  const input = textInput("go");
  await (await core.service.start({ class: "operator", origin: "a2a", context: "c", input })).settled();
  expect(seen[0]?.caller).toEqual({
    class: "operator",
    unattended: false,
    incognito: false,
    bypass: false,
    tainted: true,
  });
  expect([seen[0]?.kept, seen[0]?.earlierAnswers]).toEqual([undefined, []]);
});
