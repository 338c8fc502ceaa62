/** When a conversation holds content from outside, and what tools see of that (K8). */
import { defineTool, type ToolCaller } from "@agent-service/plugin-sdk";
import * as v from "valibot";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { DEFAULT_CONTEXT_SETTINGS } from "../context/index.ts";
import { call, coreBench, textInput } from "../core-bench.ts";
import { scriptedModel } from "../testing/scripted-model.ts";

const bench = coreBench();
afterEach(() => bench.end());
afterAll(() => bench.remove());

/** A tool that keeps what it sees of its caller. */
function witness() {
  const seen: boolean[] = [];
  const tool = defineTool({
    ...{ name: "witness", description: "Looks.", input: v.object({}), effect: "pure", content: "own" },
    run(_, { caller }: { caller: ToolCaller }) {
      seen.push(caller.tainted);
      return "seen";
    },
  });
  return { tool, seen };
}

const page = defineTool({
  ...{ name: "page", description: "Reads a page.", input: v.object({}), effect: "pure", content: "outside" },
  run: () => "a page",
});
const mixed = defineTool({
  ...{ name: "mixed", description: "Own or not.", input: v.object({ out: v.boolean() }), effect: "pure" },
  content: "own",
  run({ out }, { fromOutside }) {
    if (out) fromOutside();
    return "found";
  },
});
const unsaid = defineTool({
  ...{ name: "unsaid", description: "Says nothing.", input: v.object({}), effect: "pure" },
  run: () => "something",
});

/** Makes these calls one after another, then looks. */
function script(...steps: readonly (readonly ReturnType<typeof call>[])[]) {
  return scriptedModel(({ messages }) => {
    const from = messages.findLastIndex(({ role }) => role === "user");
    const done = messages.slice(from).filter(({ role }) => role === "assistant").length;
    return steps[done] === undefined ? "Done." : [...steps[done]];
  });
}

const look = [call("witness")];

describe("a conversation", () => {
  test("is marked by a result from outside, by what a call says, and by a tool that does not say", async () => {
    for (const [step, marked] of [
      [[call("page")], true],
      [[call("mixed", { out: true })], true],
      [[call("unsaid")], true],
      [[call("mixed", { out: false })], false],
      [[call("nowhere")], false],
    ] as const) {
      const { tool, seen } = witness();
      const model = script(look, step, look);
      const core = await bench.start({ model, tools: [tool, page, mixed, unsaid] });
      await (await core.tasks.start({ text: "go" })).settled();
      expect([step[0].call.name, seen]).toEqual([step[0].call.name, [false, marked]]);
    }
  });

  test("stays marked in later turns and processes, and through a compaction; others are not", async () => {
    const store = bench.newStore();
    const { tool, seen } = witness();
    const tools = [tool, page];
    const compaction = { enabled: true, trigger: { kind: "messages", value: 8 }, keepMessages: 2, model: "" } as const;
    const context = () => ({ ...DEFAULT_CONTEXT_SETTINGS, compaction });
    const first = await bench.start({ store, tools, model: script([call("page")]) });
    await (await first.tasks.start({ context: "c", text: "read" })).settled();
    await bench.crash(first);
    let [summaries, asked] = [0, 0];
    const model = scriptedModel(({ system }) => {
      if (system?.startsWith("You summarise") !== true) return ++asked % 6 === 0 ? "Done." : look;
      summaries++;
      return "## Intent\nRead.";
    });
    const later = await bench.start({ store, tools, model, context });
    for (const name of ["c", "c", "other"]) await (await later.tasks.start({ context: name, text: "look" })).settled();
    expect(summaries).toBeGreaterThan(1);
    expect(seen).toEqual([...Array(10).fill(true), ...Array(5).fill(false)]);
  });

  test("is marked by an attached file, also of a message that waited or came while a turn ran", async () => {
    const { tool, seen } = witness();
    const core = await bench.start({ model: script(look), tools: [tool] });
    const input = textInput("look");
    const file = { kind: "file", name: "a.txt", mediaType: "text/plain", bytes: "aGk=" } as const;
    const attached = { ...input, parts: [...input.parts, file] };
    const start = { class: "operator", origin: "chat", context: "c" } as const;
    const [one, two] = await Promise.all([
      core.service.start({ ...start, input: textInput("look") }),
      core.service.start({ ...start, input: attached }),
    ]);
    await one.settled();
    await two.settled();
    await (await core.service.start({ ...start, context: "d", input: attached })).settled();
    expect(seen).toEqual([false, true, true]);
  });
});
