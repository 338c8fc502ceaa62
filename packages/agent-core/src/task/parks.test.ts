import { type AnyTool, park } from "@agent-service/plugin-sdk";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { AWAITING_A_PERSON } from "../context/index.ts";
import {
  answerText,
  call,
  caller,
  callsOf,
  coreBench,
  countedTool,
  eventsOf,
  eventsOfKind,
  hooked,
  textInput,
} from "../core-bench.ts";
import type { InputMessage } from "../event/index.ts";
import { type ScriptedTurn, scriptedModel } from "../testing/scripted-model.ts";
import { TaskError } from "./task-error.ts";

const bench = coreBench();
afterEach(() => bench.end());
afterAll(() => bench.remove());

const data = (value: unknown): InputMessage => ({
  messageId: crypto.randomUUID(),
  parts: [{ kind: "data", data: value }],
});

/** Starts a task whose first step makes these calls and whose second answers with their results. */
async function parked(tools: readonly AnyTool[], calls: ScriptedTurn, context?: string) {
  const model = caller(calls);
  const core = await bench.start({ model, tools });
  const task = await core.tasks.start(context === undefined ? { text: "go" } : { context, text: "go" });
  await task.settled();
  const answer = (input: InputMessage, more: { class?: string; promptId?: string } = {}) =>
    core.service.answer(task.id, { class: "operator", input, ...more });
  return { core, model, task, answer };
}

const asks = (question: string, name = "asks") => countedTool(name, { run: () => park.question(question) });

describe("a question", () => {
  test("parks the task; the answer is the result of its call, and the tool is not run again", async () => {
    const { tool, runs } = asks("Which city?");
    const { core, task, answer } = await parked([tool], [call("asks")]);
    expect(task.view).toMatchObject({
      state: "parked",
      prompts: [{ tool: "asks", reason: "inside", payload: { kind: "question", question: "Which city?" } }],
    });
    expect(await callsOf(core, task.id)).toMatchObject([{ outcome: null }]);
    await answer(textInput("Rome"));
    expect(await task.settled()).toMatchObject({ state: "completed", prompts: [] });
    expect(answerText(task)).toBe("Rome");
    expect(runs).toHaveLength(1);
    expect(await callsOf(core, task.id)).toMatchObject([{ outcome: "ok", result: "Rome" }]);
  });

  test("goes to `resume` where the tool has one", async () => {
    const { tool } = countedTool("asks", {
      run: () => park.question("How many?"),
      resume: (_, reply) => `${reply.kind === "question" ? Number(reply.text) * 2 : 0}`,
    });
    const { task, answer } = await parked([tool], [call("asks")]);
    await answer(textInput("21"));
    await task.settled();
    expect(answerText(task)).toBe("42");
  });

  test("whose tool is gone by the time of the answer ends in doubt: the answer is no result", async () => {
    const { tool } = asks("Which city?");
    let tools: readonly AnyTool[] = [tool];
    const live = { ...hooked({ tools: () => () => tools }), source: "mcp" as const };
    const core = await bench.start({ model: caller([call("asks")]), features: [live] });
    const task = await core.tasks.start({ text: "go" });
    await task.settled();
    tools = [];
    await core.service.answer(task.id, { class: "operator", input: textInput("Rome") });
    expect(await task.settled()).toMatchObject({ state: "completed" });
    expect(await callsOf(core, task.id)).toMatchObject([{ outcome: "unknown" }]);
    expect(answerText(task)).toContain("no tool named asks any more");
  });

  test("may be answered by either class", async () => {
    const { task, answer } = await parked([asks("Which city?").tool], [call("asks")]);
    await answer(textInput("Rome"), { class: "federation" });
    expect(await task.settled()).toMatchObject({ state: "completed" });
  });
});

test("an answered question stands in the tool's words for what is done", async () => {
  const present = { doing: "Asking: {question}", done: "Asked: {question}" };
  const asks = countedTool("asks", { present, run: () => park.question("Which city?") });
  const { core, task, answer } = await parked([asks.tool], [call("asks")]);
  await answer(textInput("Rome"));
  await task.settled();
  expect(await eventsOfKind(core, task.id, "tool.finished")).toMatchObject([{ title: "Asked: Which city?" }]);
});

describe("a form", () => {
  const schema = { type: "object", properties: { seats: { type: "integer", minimum: 1 } }, required: ["seats"] };
  const form = () => countedTool("book", { run: () => park.form({ title: "Book", steps: [{ schema }] }) });

  test("stays with the reason when the answer does not fit, and takes one that does", async () => {
    const { core, task, answer } = await parked([form().tool], [call("book")]);
    const [prompt] = task.view.prompts;
    await answer(data({ promptId: prompt!.promptId, answer: { seats: 0 } }));
    expect(task.view).toMatchObject({ state: "parked", prompts: [{ promptId: prompt!.promptId }] });
    expect(task.view.rejection).toMatch(/seats/);
    await answer(textInput("two please"));
    expect(task.view.state).toBe("parked");
    expect(await eventsOfKind(core, task.id, "prompt.rejected")).toHaveLength(2);
    await answer(data({ promptId: prompt!.promptId, answer: { seats: 2 } }));
    expect(await task.settled()).toMatchObject({ state: "completed", rejection: undefined });
    expect(answerText(task)).toBe('{"seats":2}');
  });
});

describe("an approval", () => {
  const pay = (more: Partial<AnyTool> = {}) =>
    countedTool("pay", { approval: () => ({ title: "Pay?", detail: "5 €" }), run: () => "paid", ...more });

  test("is asked before the call runs, names the exact arguments, and is used once", async () => {
    const { tool, runs } = pay();
    const { core, task, answer } = await parked([tool], [call("pay", { to: "Ann", sum: 5 })]);
    expect(task.view.prompts).toMatchObject([
      { reason: "before", payload: { kind: "approval", title: "Pay?", tool: "pay", args: { sum: 5, to: "Ann" } } },
    ]);
    expect(runs).toEqual([]);
    expect(await callsOf(core, task.id)).toEqual([]);
    await answer(textInput("Approved."));
    expect(await task.settled()).toMatchObject({ state: "completed" });
    expect(runs).toHaveLength(1);
    const next = await core.tasks.start({ context: task.view.context, text: "again" });
    expect(await next.settled()).toMatchObject({ state: "parked" });
    expect(runs).toHaveLength(1);
  });

  test.each(["no", "ok?", "yes but only 3"])(
    "declined by %j is not run, and the model reads the refusal",
    async (text) => {
      const { tool, runs } = pay();
      const { core, task, answer } = await parked([tool], [call("pay")]);
      await answer(textInput(text));
      await task.settled();
      expect(answerText(task)).toContain("A person declined this call. It was not run");
      expect(runs).toEqual([]);
      expect(await callsOf(core, task.id)).toMatchObject([{ outcome: "denied" }]);
    },
  );

  test("is the operator's alone: a federation caller's reply leaves the task parked", async () => {
    const { tool, runs } = pay();
    const { core, task, answer } = await parked([tool], [call("pay")]);
    const before = task.view.seq;
    await answer(textInput("approve"), { class: "federation" });
    expect(task.view).toMatchObject({ state: "parked", seq: before });
    expect(runs).toEqual([]);
    expect(await core.db.read({ sql: "SELECT state FROM prompt", args: [] })).toEqual([["pending"]]);
  });

  test("is asked when the tool cannot decide whether it is needed", async () => {
    const { tool, runs } = pay({ approval: () => Promise.reject(new Error("rules unreadable")) });
    const { task, answer } = await parked([tool], [call("pay")]);
    expect(JSON.stringify(task.view.prompts)).toContain("rules unreadable");
    await answer(textInput("yes"));
    await task.settled();
    expect(runs).toHaveLength(1);
  });

  test("in the middle of a call goes to `resume` with the decision", async () => {
    const { tool } = countedTool("send", {
      run: () => park.approval({ title: "Send?", detail: "" }),
      resume: (_, reply) => (reply.kind === "approval" && reply.approved ? "sent" : "kept"),
    });
    const { task, answer } = await parked([tool], [call("send", { to: "Bob" })]);
    expect(task.view.prompts).toMatchObject([{ reason: "inside", payload: { tool: "send", args: { to: "Bob" } } }]);
    await answer(textInput("y"));
    await task.settled();
    expect(answerText(task)).toBe("sent");
  });
});

describe("several prompts (A13)", () => {
  const tools = () => [asks("One?", "one").tool, asks("Two?", "two").tool, countedTool("now").tool];
  const calls: ScriptedTurn = [call("one"), call("now"), call("two")];

  test("wait until the other calls are done and come one at a time, in call order", async () => {
    const { core, task, answer } = await parked(tools(), calls);
    expect(task.view.prompts.map((prompt) => prompt.tool)).toEqual(["one", "two"]);
    expect((await callsOf(core, task.id)).find((row) => row.name === "now")).toMatchObject({ outcome: "ok" });
    await answer(textInput("first"));
    expect(task.view).toMatchObject({ state: "parked", prompts: [{ tool: "two" }] });
    await answer(textInput("second"));
    await task.settled();
    expect(answerText(task)).toBe("first | now done | second");
  });

  test("may be answered by id in any order", async () => {
    const { task, answer } = await parked(tools(), calls);
    const two = task.view.prompts[1]!.promptId;
    await answer(textInput("second"), { promptId: two });
    expect(task.view).toMatchObject({ state: "parked", prompts: [{ tool: "one" }] });
    await expect(answer(data({ promptId: two, answer: "again" }))).rejects.toMatchObject({ code: "prompt_gone" });
    await answer(textInput("first"));
    await task.settled();
    expect(answerText(task)).toBe("first | now done | second");
  });

  test("answered at the same moment: one of two answers to the same prompt wins", async () => {
    const { task, answer } = await parked([asks("One?", "one").tool], [call("one")]);
    const { promptId } = task.view.prompts[0]!;
    const both = await Promise.allSettled(["a", "b"].map((text) => answer(textInput(text), { promptId })));
    expect(both.map((result) => result.status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(both.find((result) => result.status === "rejected")).toMatchObject({ reason: { code: "prompt_gone" } });
    await task.settled();
    expect(["a", "b"]).toContain(answerText(task));
  });
});

describe("a parked task", () => {
  test("releases its context; later turns see its call as awaiting a person, and the answer lands at its call", async () => {
    const { core, model, task, answer } = await parked([asks("Which city?").tool], [call("asks")], "c");
    const other = await core.tasks.start({ context: "c", text: "meanwhile" });
    expect(await other.settled()).toMatchObject({ state: "parked" });
    expect(model.calls[1]?.request.messages).toMatchObject([
      { role: "user" },
      { role: "assistant", toolCalls: [{ name: "asks" }] },
      { role: "tool", text: AWAITING_A_PERSON },
      { role: "user", content: [{ text: "meanwhile" }] },
    ]);
    await answer(textInput("Rome"));
    await task.settled();
    const seen = model.calls[2]!.request.messages;
    // What ran meanwhile comes first: the turn that continues ends with its own question and the answer to it.
    expect(seen).toMatchObject([
      { role: "user", content: [{ text: "meanwhile" }] },
      { role: "assistant", toolCalls: [{ name: "asks" }] },
      { role: "tool", text: AWAITING_A_PERSON },
      { role: "user" },
      { role: "assistant", toolCalls: [{ name: "asks" }] },
      { role: "tool", text: "Rome" },
    ]);
  });

  test("whose context is busy when it is answered waits its turn", async () => {
    const { core, task, answer } = await parked([asks("Which city?").tool], [call("asks")], "c");
    const order: string[] = [];
    core.journal.onCommit((record, events) => {
      for (const { event } of events) {
        if (event.kind === "task.started" || event.kind === "task.completed")
          order.push(`${event.kind} ${record.view.id === task.id ? "parked" : "other"}`);
      }
    });
    const busy = scriptedHold(core);
    await busy.running;
    await answer(textInput("Rome"));
    expect(task.view.state).toBe("queued");
    busy.end();
    await task.settled();
    expect(order).toEqual(["task.started parked", "task.completed parked"]);
  });

  test.each(["running", "completed"])("that is %s takes no answer", async (state) => {
    const model = scriptedModel([state === "running" ? [{ hang: true }] : "Done."]);
    const core = await bench.start({ model });
    const task = await core.tasks.start({ text: "?" });
    if (state === "completed") await task.settled();
    await expect(core.tasks.answer(task.id, { answer: "x" })).rejects.toBeInstanceOf(TaskError);
    await expect(core.tasks.answer(task.id, { answer: "x" })).rejects.toMatchObject({ code: "not_waiting" });
    await expect(core.tasks.answer(task.id, { promptId: "p", answer: "x" })).rejects.toMatchObject({
      code: "prompt_gone",
    });
    await expect(core.tasks.answer("nobody", { answer: "x" })).rejects.toMatchObject({ code: "unknown_task" });
  });

  test("numbers its events without gaps over parks and answers (EN2)", async () => {
    const { core, task, answer } = await parked(
      [asks("A?", "one").tool, asks("B?", "two").tool],
      [call("one"), call("two")],
    );
    await answer(textInput("1"));
    await answer(textInput("2"));
    await task.settled();
    const events = await eventsOf(core, task.id);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, i) => i + 1));
    expect(task.view.history.map((entry) => entry.from)).toEqual(["caller", "agent", "caller", "agent", "caller"]);
  });
});

/** Holds a context as a running turn does. */
function scriptedHold(core: Awaited<ReturnType<typeof bench.start>>) {
  const running = Promise.withResolvers<void>();
  const key = "operator\u0000c";
  core.service.runner.queue.enter({ id: "holder", key, class: "operator", run: () => running.resolve() });
  return { running: running.promise, end: () => core.service.runner.queue.leave("holder", key) };
}
