import { afterAll, afterEach, describe, expect, test } from "vitest";
import type { SlashCommand } from "../../command/index.ts";
import { answerText, coreBench, textInput } from "../../core-bench.ts";
import { scriptedModel } from "../../testing/scripted-model.ts";
import { commandOfMessage } from "./command-task.ts";

const bench = coreBench();
afterEach(() => bench.end());
afterAll(() => bench.remove());

const message = (text: string, more: object = {}) =>
  ({ class: "operator", origin: "chat", input: textInput(text), ...more }) as const;

/** An engine whose command `/wave` counts its runs. */
async function waving(run: SlashCommand["run"] = () => ({ kind: "reply", text: "Waved." })) {
  const model = scriptedModel(() => "From the model.");
  const core = await bench.start({ model });
  const calls: unknown[] = [];
  core.service.commands.add([
    {
      ...{ name: "wave", kind: "control", description: "Waves", usage: "/wave <whom>" },
      run(call) {
        calls.push(call);
        return run(call);
      },
    },
  ]);
  return { core, model, calls };
}

describe("who commands (R15)", () => {
  test.each(["a2a", "chat", "v1", "embed"])("an operator does, over %s", (origin) => {
    expect(commandOfMessage(message("/wave  at Ann ", { origin }))).toEqual({ name: "wave", args: "at Ann" });
  });

  test.each([
    ["a peer", { class: "federation" }],
    ["a schedule", { origin: "schedule" }],
    ["an inbox", { origin: "inbox" }],
    ["an agent", { origin: "subagent" }],
    ["a role", { role: "subagent" }],
    ["a message that is asked again", { isAskedAgain: true }],
    ["a turn of the engine's own", { options: { purpose: "compact" } }],
    ["a file", { input: { messageId: "m", parts: [{ kind: "data", data: "/wave" }] } }],
    ["a message of nothing", { input: { messageId: "m", parts: [] } }],
  ])("%s does not", (_who, more) => {
    expect(commandOfMessage(message("/wave", more) as never)).toBeUndefined();
  });
});

describe("a command", () => {
  test("is answered without the model, and recorded as a turn of its conversation", async () => {
    const { core, model, calls } = await waving();
    const task = await core.service.start(message("/wave at Ann", { context: "c" }));
    expect(await task.settled()).toMatchObject({ state: "completed", context: "c" });
    expect([answerText(task), calls, model.calls.length]).toEqual([
      "Waved.",
      [{ args: "at Ann", class: "operator", context: "c", incognito: false }],
      0,
    ]);
  });

  test("runs once under one key, and its task is what the repeated request gets (A15)", async () => {
    const { core, calls } = await waving();
    const key = { key: "k", digest: "d" };
    const first = await core.service.start(message("/wave", { key }));
    const again = await core.service.start(message("/wave", { key }));
    expect([again.id, first.repeated, again.repeated, calls.length]).toEqual([first.id, false, true, 1]);
    await expect(core.service.start(message("/wave", { key: { key: "k", digest: "other" } }))).rejects.toMatchObject({
      code: "key_conflict",
    });
  });

  test("under one key at the same moment makes one task, whoever comes last (A15)", async () => {
    const { core } = await waving();
    const key = { key: "k", digest: "d" };
    const repetitions = await Promise.all(
      Array.from({ length: 4 }, () => core.service.start(message("/wave", { key }))),
    );
    expect(new Set(repetitions.map(({ id }) => id)).size).toBe(1);
    expect(repetitions.filter(({ repeated }) => !repeated)).toHaveLength(1);
    expect(await core.db.read({ sql: "SELECT count(*) FROM task", args: [] })).toEqual([[1]]);
  });

  test("that fails refuses the message, and nothing is accepted", async () => {
    const { core } = await waving(() => Promise.reject(new Error("no arms")));
    await expect(core.service.start(message("/wave"))).rejects.toThrow("no arms");
    expect(await core.db.read({ sql: "SELECT count(*) FROM task", args: [] })).toEqual([[0]]);
  });

  test("may give the model another text, which is asked about in its place, with what came beside it", async () => {
    const { core, model } = await waving(() => ({ kind: "turn", text: "Wave at somebody." }));
    const input = textInput("/wave");
    const parts = [...input.parts, { kind: "text" as const, text: "beside it" }];
    const task = await core.service.start(message("", { input: { ...input, parts } }));
    expect(await task.settled()).toMatchObject({ state: "completed" });
    expect(answerText(task)).toBe("From the model.");
    const shown = JSON.stringify(model.calls[0]);
    expect([shown.includes("Wave at somebody."), shown.includes("beside it"), shown.includes("/wave")]).toEqual([
      true,
      true,
      false,
    ]);
  });

  test("that leaves the text as it is hands it to the model", async () => {
    const { core, model } = await waving(() => ({ kind: "turn" }));
    await (await core.service.start(message("/wave at Ann"))).settled();
    expect(JSON.stringify(model.calls[0])).toContain("/wave at Ann");
  });

  test("that is unknown is refused where people type commands, and is the model's elsewhere", async () => {
    const { core, model } = await waving();
    const refused = {
      code: "unknown_command",
      message: expect.stringMatching(/^There is no command \/wink\. .*\/wave/),
    };
    await expect(core.service.start(message("/wink"))).rejects.toMatchObject(refused);
    const input = { ...textInput("/wink"), metadata: { surface: "console" } };
    await expect(core.service.start(message("", { origin: "a2a", input }))).rejects.toMatchObject(refused);
    await (await core.service.start(message("/wink", { origin: "a2a" }))).settled();
    expect(model.calls).toHaveLength(1);
  });
});
