import { park } from "@agent-service/plugin-sdk";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { answerText, coreBench, countedTool, textInput } from "../core-bench.ts";
import type { ModelMessage } from "../model/index.ts";
import { type ScriptedTurn, scriptedModel } from "../testing/scripted-model.ts";
import type { PriorMessage } from "./prior-message.ts";
import { TaskError } from "./task-error.ts";

const bench = coreBench();
afterEach(() => bench.end());
afterAll(() => bench.remove());

const history: readonly PriorMessage[] = [
  { from: "caller", message: textInput("My name is Ann.") },
  { from: "agent", text: "Hello Ann." },
  { from: "note", text: "A tool of hers said: rain." },
];
const start = { class: "operator", origin: "v1", history } as const;
const asks = () => countedTool("asks", { run: () => park.question("Which city?") }).tool;

/** Roles with texts, as the model got them. */
const shown = (messages: readonly ModelMessage[] | undefined) =>
  messages?.map((message) =>
    message.role === "user"
      ? `user: ${message.content.map((part) => (part.kind === "text" ? part.text : part.kind)).join()}`
      : `${message.role}: ${message.text}`,
  );
const BEFORE = ["user: My name is Ann.", "assistant: Hello Ann.", "user: A tool of hers said: rain."];

describe("a conversation that a caller brings along (V1)", () => {
  test("is what the model is shown before the message, in this turn and the next", async () => {
    const model = scriptedModel(["First.", "Second."]);
    const core = await bench.start({ model });
    const task = await core.service.start({ ...start, input: textInput("Who am I?") });
    await task.settled();
    expect(shown(model.calls[0]?.request.messages)).toEqual([...BEFORE, "user: Who am I?"]);
    const { context } = task.view;
    await (await core.tasks.start({ context, text: "And now?" })).settled();
    const second = [...BEFORE, "user: Who am I?", "assistant: First.", "user: And now?"];
    expect(shown(model.calls[1]?.request.messages)).toEqual(second);
    expect(task.view.history).toHaveLength(1);
  });

  test("is durable with the task: after a crash the parked turn continues with it", async () => {
    const store = bench.newStore();
    const turns: ScriptedTurn[] = [[{ call: { name: "asks" } }], "Done."];
    const before = await bench.start({ store, model: scriptedModel(turns), tools: [asks()], onRestart: "resume" });
    const task = await before.service.start({ ...start, input: textInput("Go.") });
    await task.settled();
    await bench.crash(before);
    const model = scriptedModel(["Done."]);
    const core = await bench.start({ store, model, tools: [asks()], onRestart: "resume" });
    const resumed = await core.service.answer(task.id, { class: "operator", input: textInput("Rome") });
    await resumed.settled();
    expect(shown(model.calls[0]?.request.messages)).toEqual([...BEFORE, "user: Go.", "assistant: ", "tool: Rome"]);
  });

  test("comes before the message of a turn that had to wait for a slot", async () => {
    const gate = Promise.withResolvers<void>();
    const model = scriptedModel([[{ until: gate.promise }, { say: "one" }], "two"]);
    const core = await bench.start({ model, turns: { maxBegun: 1 } });
    const first = await core.tasks.start({ text: "hold the slot" });
    const waiting = await core.service.start({ ...start, input: textInput("Who am I?") });
    expect(waiting.view.state).toBe("queued");
    gate.resolve();
    await Promise.all([first.settled(), waiting.settled()]);
    expect(shown(model.calls[1]?.request.messages)).toEqual([...BEFORE, "user: Who am I?"]);
  });

  test("with content the agent does not take is refused, and nothing is stored", async () => {
    const core = await bench.start({ model: scriptedModel([]) });
    const zip = { kind: "file", mediaType: "application/zip", bytes: "UEs=" } as const;
    const bad: PriorMessage = { from: "caller", message: { messageId: "m", parts: [zip] } };
    const refused = core.service.start({ ...start, history: [...history, bad], input: textInput("Go.") });
    await expect(refused).rejects.toThrow(TaskError);
    expect(await core.db.read({ sql: "SELECT count(*) FROM message", args: [] })).toEqual([[0]]);
  });
});

test("instructions of the calling program follow the persona, in every call of the turn and after a restart", async () => {
  const store = bench.newStore();
  const parking = { store, persona: "You are terse.", tools: [asks()], onRestart: "resume" } as const;
  const first = scriptedModel([[{ call: { name: "asks" } }]]);
  const before = await bench.start({ ...parking, model: first });
  const options = { instructions: "Answer in rhyme." };
  const task = await before.service.start({ class: "operator", origin: "v1", input: textInput("Go."), options });
  await task.settled();
  await bench.crash(before);
  const second = scriptedModel(["Done."]);
  const core = await bench.start({ ...parking, model: second });
  await (await core.service.answer(task.id, { class: "operator", input: textInput("Rome") })).settled();
  const [system] = new Set([first.calls[0]?.request.system, second.calls[0]?.request.system]);
  expect(system).toMatch(/^You are terse\.\n\n.*\nAnswer in rhyme\.$/);
  expect(second.calls[0]?.request.system).toBe(system);
});

describe("the task of a conversation that waits for a person", () => {
  test("is the oldest of that class, context and origin, and none once it is answered", async () => {
    const model = scriptedModel((request) =>
      request.messages.at(-1)?.role === "tool" ? "Done." : [{ call: { name: "asks" } }],
    );
    const core = await bench.start({ model, tools: [asks()] });
    const of = { class: "operator", context: "s", origin: "v1" } as const;
    expect(await core.service.parkedIn(of)).toBeUndefined();
    const run = async (more: { class?: string; context?: string; origin?: "v1" | "a2a" } = {}) => {
      const task = await core.service.start({ ...of, ...more, input: textInput("Go.") });
      await task.settled();
      return task;
    };
    await run({ class: "federation" });
    await run({ context: "other" });
    await run({ origin: "a2a" });
    expect(await core.service.parkedIn(of)).toBeUndefined();
    const [first, second] = [await run(), await run()];
    expect((await core.service.parkedIn(of))?.id).toBe(first.id);
    const done = await core.service.answer(first.id, { class: "operator", input: textInput("Rome") });
    await done.settled();
    expect(answerText(done)).toBe("Done.");
    expect((await core.service.parkedIn(of))?.id).toBe(second.id);
    await core.service.cancel(second.id);
    expect(await core.service.parkedIn(of)).toBeUndefined();
  });

  test("is found by an index of its own, however many wait elsewhere", async () => {
    const core = await bench.start({ model: scriptedModel([]) });
    const { sql, args } = core.journal.statements.selectParkedTask.bind({ class: "c", context: "x", origin: "v1" });
    const plan = await core.db.read({ sql: `EXPLAIN QUERY PLAN ${sql}`, args });
    const steps = plan.map((row) => String(row[3])).join("\n");
    expect(steps).toContain("prompt_waiting (class=? AND context=?)");
    expect(steps).not.toMatch(/SCAN|TEMP B-TREE FOR ORDER BY/);
  });
});
