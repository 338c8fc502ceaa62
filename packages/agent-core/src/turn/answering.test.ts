import { afterAll, afterEach, describe, expect, test } from "vitest";
import { answerText, coreBench, countedTool, eventsOf, eventsOfKind, followed, textInput } from "../core-bench.ts";
import { ModelConfigError, ModelError, type ModelErrorCode } from "../model/index.ts";
import { manualClock } from "../testing/manual-clock.ts";
import { scriptedModel } from "../testing/scripted-model.ts";
import type { StructuredSkill, TaskOptions } from "./task-options.ts";

const bench = coreBench();
afterEach(() => bench.end());
afterAll(() => bench.remove());

const kinds = (events: readonly { event: { kind: string } }[]) => events.map(({ event }) => event.kind);

describe("an answer", () => {
  test("takes two commits: task, message and intent; then outcome, answer and end (EN5, EN8)", async () => {
    const labels: string[] = [];
    const hit = (name: string): void => void labels.push(name);
    const model = scriptedModel([[{ say: "Hello" }, { say: " there" }, { usage: { input: 7, output: 3 } }]]);
    const core = await bench.start({ model, failpoints: { hit }, persona: "You are brief." });
    const task = await core.tasks.start({ text: "Hi" });
    const view = await task.settled();
    expect(answerText(task)).toBe("Hello there");
    expect(view).toMatchObject({ state: "completed", usage: { input: 7, output: 3 }, steps: 1, seq: 5 });
    expect(labels).toEqual(["task.accept:before", "task.accept:after", "turn.close:before", "turn.close:after"]);
    expect(kinds(await eventsOf(core, task.id))).toEqual([
      "task.accepted",
      "model.started",
      "model.finished",
      "answer",
      "task.completed",
    ]);
    expect(model.calls[0]?.request).toMatchObject({
      system: "You are brief.",
      messages: [{ role: "user", content: [{ kind: "text", text: "Hi" }] }],
    });
  });

  test("is followed by the next one of its context, which the model is shown whole (EN7)", async () => {
    const model = scriptedModel(["One.", "Two."]);
    const core = await bench.start({ model });
    await (await core.tasks.start({ context: "c", text: "1?" })).settled();
    await (await core.tasks.start({ context: "c", text: "2?" })).settled();
    expect(model.calls[1]?.request.messages).toEqual([
      { role: "user", content: [{ kind: "text", text: "1?" }] },
      { role: "assistant", text: "One." },
      { role: "user", content: [{ kind: "text", text: "2?" }] },
    ]);
  });

  test("that is empty is replaced by a note; after a tool by the tool's result", async () => {
    const { tool } = countedTool("count", { effect: "pure" });
    const model = scriptedModel([[], [{ call: { name: "count" } }], []]);
    const core = await bench.start({ model, tools: [tool] });
    const empty = await core.tasks.start({ text: "?" });
    await empty.settled();
    expect(answerText(empty)).toBe("(The model gave an empty answer.)");
    const counted = await core.tasks.start({ text: "count" });
    await counted.settled();
    expect(answerText(counted)).toBe("count done");
  });

  test("cut off by the provider's limit has a note about it", async () => {
    const core = await bench.start({ model: scriptedModel([[{ say: "Half" }, { finish: "length" }]]) });
    const view = await (await core.tasks.start({ text: "?" })).settled();
    expect(view).toMatchObject({ state: "completed", note: "The answer was cut off at the model's output limit." });
  });

  test("sums the usage of every call, failed ones included (A11)", async () => {
    const { tool } = countedTool("count", { effect: "pure" });
    const model = scriptedModel([
      [{ call: { name: "count" } }, { usage: { input: 10, output: 1, cacheRead: 4 } }],
      [{ usage: { input: 20, output: 2 } }, { fail: new ModelError("context_overflow", "too long") }],
      [{ say: "Done" }, { usage: { input: 30, output: 3, cacheWrite: 5 } }],
    ]);
    const core = await bench.start({ model, tools: [tool] });
    const view = await (await core.tasks.start({ text: "?" })).settled();
    expect(view).toMatchObject({
      state: "completed",
      usage: { input: 60, output: 6, cacheRead: 4, cacheWrite: 5 },
      steps: 3,
    });
  });
});

describe("streamed text (A6)", () => {
  test("goes out at once the first time, then after 50 ms, or as soon as 256 characters wait", async () => {
    const clock = manualClock();
    const gates = [0, 1, 2, 3].map(() => Promise.withResolvers<void>());
    const model = scriptedModel([
      [
        { until: gates[0]!.promise },
        { say: "a" },
        { until: gates[1]!.promise },
        { say: "b" },
        { say: "c" },
        { until: gates[2]!.promise },
        { say: "d".repeat(200) },
        { say: "e".repeat(56) },
        { until: gates[3]!.promise },
        { say: "." },
      ],
    ]);
    const core = await bench.start({ model, clock });
    const task = await core.tasks.start({ text: "?" });
    const reader = followed(task);
    await reader.until("model.started");
    gates[0]!.resolve();
    await reader.until("text.delta");
    const timers = clock.pending();
    gates[1]!.resolve();
    await clock.untilPending(timers + 1);
    await clock.advance(49);
    expect(task.view.text).toBe("a");
    await clock.advance(1);
    await reader.until("text.delta", 2);
    expect(task.view.text).toBe("abc");
    gates[2]!.resolve();
    await reader.until("text.delta", 3);
    gates[3]!.resolve();
    await reader.done;
    const texts = reader.events.flatMap(({ event }) => (event.kind === "text.delta" ? [event.text] : []));
    expect(texts).toEqual(["a", "bc", "d".repeat(200) + "e".repeat(56), "."]);
    const begins = reader.events.flatMap(({ event }) => (event.kind === "text.delta" ? [event.begins] : []));
    expect(begins).toEqual([true, undefined, undefined, undefined]);
    expect(clock.pending()).toBe(timers);
  });

  test("is not journaled without a follower, and is appended whole when one arrives", async () => {
    const gate = Promise.withResolvers<void>();
    const answered = Promise.withResolvers<void>();
    const pause = {
      get until() {
        answered.resolve();
        return gate.promise;
      },
    };
    const model = scriptedModel([[{ say: "one " }, { say: "two " }, pause, { say: "three" }], "4"]);
    const core = await bench.start({ model });
    const task = await core.tasks.start({ text: "?" });
    await answered.promise;
    const reader = followed(task);
    const first = await reader.until("text.delta");
    expect(first.event).toEqual({ kind: "text.delta", text: "one two ", begins: true });
    gate.resolve();
    await reader.done;
    expect(answerText(task)).toBe("one two three");
    const unseen = await core.tasks.start({ text: "?" });
    await unseen.settled();
    expect(kinds(await eventsOf(core, unseen.id))).not.toContain("text.delta");
  });

  test("is given to a follower that arrives late in pieces of bounded size", async () => {
    const gate = Promise.withResolvers<void>();
    const answered = Promise.withResolvers<void>();
    const pause = {
      get until() {
        answered.resolve();
        return gate.promise;
      },
    };
    // A surrogate pair lies where a piece of 8,192 characters would end.
    const long = `${"a".repeat(8_191)}\u{1f600}${"b".repeat(20_000)}`;
    const core = await bench.start({ model: scriptedModel([[{ say: long }, pause]]) });
    const task = await core.tasks.start({ text: "?" });
    await answered.promise;
    const reader = followed(task);
    await reader.until("text.delta", 4);
    gate.resolve();
    await reader.done;
    const texts = reader.events.flatMap(({ event }) => (event.kind === "text.delta" ? [event.text] : []));
    expect(texts.map((text) => text.length)).toEqual([8_191, 8_192, 8_192, 3_618]);
    expect(texts.every((text) => text.isWellFormed())).toBe(true);
    expect(texts.join("")).toBe(long);
  });

  test("that turns out not to be the answer is reset before the calls are shown", async () => {
    const { tool } = countedTool("count");
    const model = scriptedModel([[{ say: "Let me see" }, { call: { name: "count" } }], "Three."]);
    const core = await bench.start({ model, tools: [tool] });
    const task = await core.tasks.start({ text: "?" });
    const reader = followed(task);
    await reader.done;
    const order = kinds(reader.events);
    expect(order.indexOf("text.reset")).toBeGreaterThan(order.indexOf("text.delta"));
    expect(order.indexOf("text.reset")).toBeLessThan(order.indexOf("tool.started"));
    expect(answerText(task)).toBe("Three.");
  });

  test("keeps reasoning apart from the answer (A14)", async () => {
    const core = await bench.start({ model: scriptedModel([[{ think: "hm " }, { think: "yes" }, { say: "Yes." }]]) });
    const task = await core.tasks.start({ text: "?" });
    await task.settled();
    expect(await eventsOfKind(core, task.id, "reasoning.delta")).toEqual([{ kind: "reasoning.delta", text: "hm yes" }]);
    expect(answerText(task)).toBe("Yes.");
  });

  test("sends reasoning as it arrives to readers who want it, the others with what is committed next (A14)", async () => {
    const clock = manualClock();
    const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const model = scriptedModel(() => [
      { until: gates[0]!.promise },
      { think: "hm " },
      { think: "let " },
      { think: "me see" },
      { until: gates[1]!.promise },
      { say: "Yes." },
    ]);
    const core = await bench.start({ model, clock });
    const wanting = await core.tasks.start({ text: "?" });
    const other = await core.tasks.start({ text: "?" });
    const [eager, patient] = [followed(wanting, 0, true), followed(other)];
    await Promise.all([eager.until("model.started"), patient.until("model.started")]);
    const record = core.journal.get(wanting.id);
    expect(record).toMatchObject({ followers: 1, reasoningFollowers: 1 });
    const timers = clock.pending();
    gates[0]!.resolve();
    const first = await eager.until("reasoning.delta");
    expect(first.event).toEqual({ kind: "reasoning.delta", text: "hm " });
    await clock.untilPending(timers + 1);
    await clock.advance(50);
    expect((await eager.until("reasoning.delta", 2)).event).toEqual({ kind: "reasoning.delta", text: "let me see" });
    expect(kinds(patient.events)).not.toContain("reasoning.delta");
    gates[1]!.resolve();
    await Promise.all([eager.done, patient.done]);
    expect(kinds(eager.events).filter((kind) => kind.endsWith(".delta"))).toEqual([
      "reasoning.delta",
      "reasoning.delta",
      "text.delta",
    ]);
    expect(await eventsOfKind(core, other.id, "reasoning.delta")).toEqual([
      { kind: "reasoning.delta", text: "hm let me see" },
    ]);
    // Reasoning alone is no text that could turn out not to be the answer.
    expect(kinds(eager.events)).not.toContain("text.reset");
    expect(record).toMatchObject({ followers: 0, reasoningFollowers: 0 });
  });
});

describe("a model that fails", () => {
  const codes: ModelErrorCode[] = ["rate_limited", "upstream", "network", "timeout", "bad_response", "unauthorized"];
  test.each(codes)("%s ends the task with that code, its usage counted and the call closed", async (code) => {
    const error = new ModelError(code, `the gateway said ${code}`);
    const model = scriptedModel([[{ say: "Par" }, { usage: { input: 3, output: 1 } }, { fail: error }]]);
    const core = await bench.start({ model });
    const task = await core.tasks.start({ text: "?" });
    const view = await task.settled();
    expect(view).toMatchObject({
      state: "failed",
      failure: { code: `model_${code}`, message: `the gateway said ${code}` },
      usage: { input: 3, output: 1 },
      modelCall: undefined,
    });
    expect(await eventsOfKind(core, task.id, "model.failed")).toHaveLength(1);
  });

  test("by throwing anything else ends the task without its message", async () => {
    const warnings: string[] = [];
    const log = { info: () => {}, warn: (message: string) => void warnings.push(message) };
    const core = await bench.start({ model: scriptedModel([[{ fail: new Error("secret-ish detail") }]]), log });
    const view = await (await core.tasks.start({ text: "?" })).settled();
    expect(view.failure).toEqual({ code: "model_failed", message: "The model call failed." });
    expect(warnings.join()).toContain("secret-ish detail");
  });

  test("because its name is unknown ends the task before any call", async () => {
    const core = await bench.start({
      model: () => {
        throw new ModelConfigError("invalid_base_url", "there is no model named nope");
      },
    });
    const view = await (await core.tasks.start({ text: "?", model: "nope" })).settled();
    expect(view).toMatchObject({ state: "failed", failure: { message: "there is no model named nope" }, steps: 0 });
  });

  test("with more text than a call may stream keeps what there is and notes that it was cut", async () => {
    const model = scriptedModel([[{ say: "12345" }, { say: "67\u{1f600}90" }, { hang: true }], "Next."]);
    const core = await bench.start({ model, limits: { maxAnswerChars: 8 } });
    const task = await core.tasks.start({ text: "?", context: "c" });
    const reader = followed(task);
    expect(await task.settled()).toMatchObject({
      state: "completed",
      answer: [{ kind: "text", text: "1234567" }],
      note: "The answer was cut off at 8 characters.",
    });
    await reader.done;
    const texts = reader.events.map(({ event }) => (event.kind === "text.delta" ? event.text : ""));
    expect(texts.join("")).toBe("1234567");
    expect(await eventsOfKind(core, task.id, "model.finished")).toMatchObject([{ finish: "length" }]);
    await (await core.tasks.start({ text: "go on", context: "c" })).settled();
    expect(model.calls[1]?.request.messages[1]).toEqual({ role: "assistant", text: "1234567" });
  });

  test("for a context too long gets a summary once, compaction off or on, and fails the second time (R5)", async () => {
    const overflow = [{ fail: new ModelError("context_overflow", "too long") }];
    const summary = "Zwölf Fragen, zwölf Antworten.";
    let tooLong = 0;
    const model = scriptedModel((request, count) => {
      if (request.system?.startsWith("You summarise") === true) return summary;
      return tooLong-- > 0 ? overflow : `Answer ${count}`;
    });
    const core = await bench.start({ model });
    for (let turn = 0; turn < 12; turn++) await (await core.tasks.start({ context: "c", text: `${turn}?` })).settled();
    tooLong = 1;
    const once = await core.tasks.start({ context: "c", text: "last" });
    expect(await once.settled()).toMatchObject({ state: "completed", steps: 3 });
    const shown = model.calls[14]!.request.messages;
    expect(shown.length).toBeLessThan(15);
    expect(JSON.stringify(shown[0])).toContain(summary);
    expect(shown.at(-1)).toEqual({ role: "user", content: [{ kind: "text", text: "last" }] });
    expect(await eventsOfKind(core, once.id, "context.compacted")).toHaveLength(1);
    tooLong = 2;
    const twice = await core.tasks.start({ context: "c", text: "again" });
    expect(await twice.settled()).toMatchObject({ state: "failed", failure: { code: "model_context_overflow" } });
  });

  test("for a context too long, and to write a summary, is shown only the newest messages", async () => {
    const overflow = [{ fail: new ModelError("context_overflow", "too long") }];
    const model = scriptedModel((_, count) => (count <= 12 ? `Answer ${count}` : count === 15 ? "Short." : overflow));
    const core = await bench.start({ model });
    for (let turn = 0; turn < 12; turn++) await (await core.tasks.start({ context: "c", text: `${turn}?` })).settled();
    const once = await core.tasks.start({ context: "c", text: "last" });
    expect(await once.settled()).toMatchObject({ state: "completed", steps: 3 });
    expect(model.calls[12]?.request.messages).toHaveLength(25);
    const shown = model.calls[14]!.request.messages;
    expect(shown.length).toBeLessThan(15);
    expect(JSON.stringify(shown[0])).toContain("earlier messages are left out");
    expect(shown.at(-1)).toEqual({ role: "user", content: [{ kind: "text", text: "last" }] });
    expect(await eventsOfKind(core, once.id, "guard.noted")).toMatchObject([{ guard: "compaction" }]);
  });
});

describe("what a caller asks of the answer (V1)", () => {
  const ask = (options: TaskOptions) => ({ class: "operator", origin: "v1", input: textInput("?"), options }) as const;

  test("a stop sequence cuts the text of every step, and no tool call after it", async () => {
    const { tool } = countedTool("count", { effect: "pure" });
    const model = scriptedModel([[{ say: "I count.# Now" }, { call: { name: "count" } }], [{ say: "One#two" }]]);
    const core = await bench.start({ model, tools: [tool] });
    const task = await core.service.start(ask({ stop: ["#"] }));
    await task.settled();
    expect(answerText(task)).toBe("One");
    expect(model.calls[1]?.request.messages.slice(1)).toMatchObject([
      { role: "assistant", text: "I count." },
      { role: "tool", text: "count done" },
    ]);
  });

  test("an answer that the provider cut off behind its end is whole", async () => {
    const cut = [{ say: "One#tw" }, { finish: "length" }] as const;
    const core = await bench.start({ model: scriptedModel([cut]) });
    const view = await (await core.service.start(ask({ stop: ["#"] }))).settled();
    expect([view.state, view.note]).toEqual(["completed", undefined]);
  });
});

describe("a structured skill (A17)", () => {
  const skill: StructuredSkill = {
    id: "sum",
    resultMime: "application/vnd.sum+json",
    outputSchema: { type: "object", properties: { sum: { type: "number" } }, required: ["sum"] },
  };
  const ask = { class: "operator", origin: "a2a", input: textInput("2+2?"), options: { skill } } as const;

  test("answers with data of its type, without deltas, after at most two repairs", async () => {
    const model = scriptedModel(["four", '{"sum":"four"}', '```json\n{"sum":4}\n```']);
    const core = await bench.start({ model, persona: "You add." });
    const task = await core.service.start(ask);
    const reader = followed(task);
    await reader.done;
    expect(task.view.answer).toEqual([{ kind: "data", data: { sum: 4 }, mediaType: skill.resultMime }]);
    expect(kinds(reader.events)).not.toContain("text.delta");
    expect(model.calls[0]?.request.system).toMatch(/^You add\.\n\nAnswer with one JSON value.*"required":\["sum"\]/s);
    expect(JSON.stringify(model.calls[2]?.request.messages.at(-1))).toContain("did not fit");
  });

  test("fails after the second repair, naming where it did not fit", async () => {
    const core = await bench.start({ model: scriptedModel(["a", "b", '{"sum":"c"}']) });
    const view = await (await core.service.start(ask)).settled();
    expect(view).toMatchObject({ state: "failed", failure: { code: "answer_does_not_fit" }, steps: 3 });
    expect(view.failure?.message).toContain("#/sum");
  });
});
