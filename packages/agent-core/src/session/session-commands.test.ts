import { afterAll, afterEach, expect, test } from "vitest";
import { answerText, callsOf, coreBench, eventsOf, type StandardCore, textInput } from "../core-bench.ts";
import { SCRIPT_COMMANDS, scripted } from "../model/index.ts";
import type { StartTask } from "../task/index.ts";
import { scriptedModel } from "../testing/scripted-model.ts";

const bench = coreBench();
afterEach(() => bench.end());
afterAll(() => bench.remove());

async function send(core: StandardCore, text: string, more: Partial<StartTask> = {}) {
  const task = await core.service.start({
    ...{ class: "operator", context: "s", origin: "a2a", input: textInput(text) },
    ...more,
  });
  await task.settled();
  return task;
}

test("a command is carried out before any model is asked, and is a turn that the conversation does not hold", async () => {
  const model = scriptedModel(() => "Done.");
  const core = await bench.start({ model });
  await send(core, "hello");
  const task = await send(core, "/title Garden party");
  expect([task.view.state, answerText(task)]).toEqual(["completed", "Title: Garden party"]);
  expect((await eventsOf(core, task.id)).map(({ event }) => event.kind)).toEqual([
    "task.accepted",
    "answer",
    "task.completed",
  ]);
  expect(await core.features.sessions.catalog.read("s")).toMatchObject({ title: "Garden party", turns: 2 });
  await send(core, "go on");
  expect(model.calls.map(({ request }) => request.messages.length)).toEqual([1, 3]);
  expect(answerText(await send(core, "/title"))).toBe("Title: Garden party");
  expect(answerText(await send(core, "/title x", { context: "new" }))).toContain("no turns yet");
  expect(answerText(await send(core, "/status"))).toContain("Title: Garden party\nTurns: 4, the last one completed");
  expect(core.load()).toEqual({ running: 0, waiting: 0 });
});

test("a repeated command under its key is the same turn", async () => {
  const core = await bench.start({ model: scriptedModel([]) });
  const key = { key: "k", digest: "d" };
  const repetitions = await Promise.all([1, 2, 3].map(() => send(core, "/help", { key })));
  expect(new Set(repetitions.map(({ id }) => id)).size).toBe(1);
  expect(repetitions[0]!.view.class).toBe("operator");
  expect(await core.db.read({ sql: "SELECT count(*) FROM task", args: [] })).toEqual([[1]]);
});

test("an unknown command is refused where commands are typed, with the list; elsewhere it is text", async () => {
  const model = scriptedModel(() => "Done.");
  const core = await bench.start({ model });
  const refused = { code: "unknown_command", message: expect.stringContaining("/help, /status, /title") };
  await expect(send(core, "/nothing here", { origin: "chat" })).rejects.toMatchObject(refused);
  await expect(send(core, "/nothing", { input: textInput("/nothing", { surface: "console" }) })).rejects.toMatchObject(
    refused,
  );
  expect(await core.db.read({ sql: "SELECT count(*) FROM task", args: [] })).toEqual([[0]]);
  expect(answerText(await send(core, "/nothing here"))).toBe("Done.");
  expect(answerText(await send(core, "/etc/passwd is a file", { origin: "chat" }))).toBe("Done.");
});

test("a message of federation, a schedule or another agent is never a command", async () => {
  const core = await bench.start({ model: scriptedModel(() => "Done.") });
  expect(answerText(await send(core, "/help", { class: "federation" }))).toBe("Done.");
  for (const origin of ["schedule", "inbox", "subagent", "background"] as const) {
    expect(answerText(await send(core, "/help", { origin })), origin).toBe("Done.");
  }
});

test("the scripted model's own commands reach it, and no other model (R10)", async () => {
  const core = await bench.start({
    model: { model: scripted(), name: "demo", commands: SCRIPT_COMMANDS },
  });
  const task = await send(core, '/call nothing {"x":1}', { origin: "chat" });
  expect((await callsOf(core, task.id))[0]).toMatchObject({ name: "nothing" });
  await expect(send(core, "/shout hello", { origin: "chat" })).rejects.toMatchObject({ code: "unknown_command" });
  const other = await bench.start({ model: scriptedModel([]) });
  await expect(send(other, "/call nothing {}", { origin: "chat" })).rejects.toMatchObject({ code: "unknown_command" });
});

test("/stop cancels the turn that runs, at once, and the queue continues", async () => {
  const core = await bench.start({ model: scriptedModel([[{ hang: true }], "Next."]) });
  const hanging = await core.service.start({ class: "operator", context: "s", origin: "chat", input: textInput("go") });
  const waiting = await core.service.start({
    class: "operator",
    context: "s",
    origin: "chat",
    input: textInput("then"),
  });
  expect(answerText(await send(core, "/stop"))).toBe("The turn was canceled.");
  expect((await hanging.settled()).state).toBe("canceled");
  expect((await waiting.settled()).state).toBe("completed");
  await core.service.runner.idle(1_000);
  expect(answerText(await send(core, "/stop"))).toBe("No turn runs now.");
});

test("/compact is the turn that compacts", async () => {
  const core = await bench.start({ model: scriptedModel(() => "Done.") });
  await send(core, "hello");
  const task = await send(core, "/compact");
  expect(await core.journal.optionsOf(task.id)).toBe('{"purpose":"compact"}');
  expect(task.view.state).toBe("completed");
});
