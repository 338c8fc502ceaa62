import { afterEach, describe, expect, it } from "vitest";
import { type AgentCore, createAgentCore } from "../create-agent-core.ts";
import type { ModelMessage } from "../model/index.ts";
import { scriptedModel } from "../testing/scripted-model.ts";
import type { TaskHandle } from "./index.ts";

const cores: AgentCore[] = [];
afterEach(async () => {
  for (const core of cores.splice(0)) await core.stop({ graceMs: 0 });
});

function shown(messages: readonly ModelMessage[] | undefined): string[] {
  return (messages ?? []).map((message) =>
    message.role === "user"
      ? message.content.map((part) => (part.kind === "text" ? part.text : "")).join()
      : message.text,
  );
}

async function start(first: Promise<unknown>) {
  const model = scriptedModel((_request, count) =>
    count === 1 ? [{ until: first }, { say: "one" }] : `answer ${count}`,
  );
  const core = await createAgentCore({ store: ":memory:", model: { model, name: "scripted" } });
  cores.push(core);
  const task = (text: string): Promise<TaskHandle> => core.tasks.start({ context: "c", text });
  return { model, core, task };
}

describe("turns that wait in a context (EN4, A9)", () => {
  // Their messages were stored at acceptance once: an earlier turn that was restored read them too, and a waiting turn
  // read its question before the answer it waited for (found by proof:kill, seed 1).
  it("enter the conversation when they start, in order of arrival", async () => {
    const gate = Promise.withResolvers<void>();
    const { model, task } = await start(gate.promise);
    const tasks = [await task("first"), await task("second"), await task("third")];
    await model.untilCall(1);
    gate.resolve();
    for (const handle of tasks) await handle.settled();
    expect(model.calls.map(({ request }) => shown(request.messages))).toEqual([
      ["first"],
      ["first", "one", "second"],
      ["first", "one", "second", "answer 2", "third"],
    ]);
  });

  it("never enter it when they are canceled before they start", async () => {
    const gate = Promise.withResolvers<void>();
    const { model, core, task } = await start(gate.promise);
    const [first, second, third] = [await task("first"), await task("second"), await task("third")];
    await core.tasks.cancel(second.id);
    gate.resolve();
    await first.settled();
    await third.settled();
    expect(shown(model.calls[1]?.request.messages)).toEqual(["first", "one", "third"]);
  });
});
