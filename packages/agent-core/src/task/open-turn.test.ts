import { park } from "@agent-service/plugin-sdk";
import { afterAll, afterEach, expect, test } from "vitest";
import { answerText, coreBench, countedTool } from "../core-bench.ts";
import { scriptedModel } from "../testing/scripted-model.ts";
import { type AnswersPrompt, openTurn } from "./open-turn.ts";
import { MAX_REQUEST_KEY_CHARS, requestKey } from "./request-key.ts";

const bench = coreBench();
afterEach(() => bench.end());
afterAll(() => bench.remove());

const asksName = () => countedTool("ask", { run: () => park.question("Who?") }).tool;
const message = (text: string, answers?: AnswersPrompt, key?: string) => ({
  class: "operator",
  context: "c",
  origin: "v1" as const,
  input: { messageId: crypto.randomUUID(), parts: [{ kind: "text" as const, text }] },
  answers,
  ...(key === undefined ? {} : { key: requestKey(key, [text]) }),
});

/** An engine whose context `c` waits with a question. */
async function parked() {
  const model = scriptedModel([[{ call: { name: "ask" } }], "Thanks.", "Hello again."]);
  const core = await bench.start({ model, tools: [asksName()] });
  const { task } = await openTurn(core.service, message("hi"));
  await task.settled();
  return { core, task, waiting: task.view.seq, used: task.view.usage };
}

test("a message without a wish to answer starts a turn of its own, beside a parked one too", async () => {
  const { core, task } = await parked();
  const other = await openTurn(core.service, message("something else"));
  expect(other.task.id).not.toBe(task.id);
  expect(other).toMatchObject({ after: 0, usedBefore: { input: 0, output: 0 } });
});

test.each([true, false])("a message answers what its context waits with (required: %s)", async (required) => {
  const { core, task, waiting, used } = await parked();
  const answered = await openTurn(core.service, message("Ann", { required }));
  expect(answered).toMatchObject({ task: { id: task.id }, after: waiting, usedBefore: used });
  await answered.task.settled();
  expect(answerText(answered.task)).toBe("Thanks.");
});

test("where nothing waits an answer is refused, or starts a turn", async () => {
  const core = await bench.start({ model: scriptedModel(() => "Hello.") });
  const required = openTurn(core.service, message("Ann", { required: true }));
  await expect(required).rejects.toMatchObject({ code: "not_waiting" });
  const { task } = await openTurn(core.service, message("Ann", { required: false }));
  expect(await task.settled()).toMatchObject({ state: "completed" });
});

test("of two messages at the same moment one answers, and the other starts a turn of its own", async () => {
  const { core, task } = await parked();
  const both = await Promise.all(
    ["Ann", "Bob"].map((text) => openTurn(core.service, message(text, { required: false }))),
  );
  expect(both.filter((opened) => opened.task.id === task.id)).toHaveLength(1);
  for (const opened of both) expect(await opened.task.settled()).toMatchObject({ state: "completed" });
  expect(task.view.history.filter(({ from }) => from === "caller")).toHaveLength(2);
});

test("prompts of tasks that another surface started are not answered where an origin is asked for", async () => {
  const { core, task } = await parked();
  const other = await openTurn(core.service, message("Ann", { required: false, origin: "chat" }));
  expect(other.task.id).not.toBe(task.id);
});

test.each([undefined, { required: true }, { required: false }])(
  "a repeated key names the same turn, from its beginning (answers: %j)",
  async (answers) => {
    const { core, task } = await parked();
    const first = await openTurn(core.service, message("Ann", answers, "k"));
    await first.task.settled();
    const again = await openTurn(core.service, message("Ann", answers, "k"));
    expect(again).toMatchObject({ task: { id: first.task.id, repeated: true }, after: 0, usedBefore: { input: 0 } });
    expect(first.task.id === task.id).toBe(answers !== undefined);
    await expect(openTurn(core.service, message("Bob", answers, "k"))).rejects.toMatchObject({ code: "key_conflict" });
  },
);

test("a key has 255 characters at most, and its digest is of the JSON of what was asked", () => {
  expect(MAX_REQUEST_KEY_CHARS).toBe(255);
  // The digests of former versions, which stored keys are compared with.
  expect(requestKey("k", ["v1", null, "s"]).digest).toBe(
    "b189e068c3ac26a74a545b1145f0f5da32d1e3f7fbe40b8abe6bacefbd90069e",
  );
});
