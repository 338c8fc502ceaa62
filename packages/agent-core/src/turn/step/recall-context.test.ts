import { afterAll, afterEach, describe, expect, test } from "vitest";
import { DEFAULT_CONTEXT_SETTINGS } from "../../context/index.ts";
import {
  answerText,
  call,
  coreBench,
  countedTool,
  eventsOf,
  eventsOfKind,
  hooked,
  STANDARD,
  textInput,
} from "../../core-bench.ts";
import type { RecalledMemory } from "../../event/index.ts";
import { scriptedModel } from "../../testing/scripted-model.ts";
import type { RecallAsk } from "../turn-deps.ts";

const bench = coreBench();
afterEach(() => bench.end());
afterAll(() => bench.remove());

const record = { mode: "keyword", items: [], leftOut: [], chars: 0, ms: 0 } as const;

/** A feature that recalls `texts` in order, nothing afterwards, and keeps what it was asked. */
function remembering(texts: readonly (string | undefined)[]) {
  const asked: RecallAsk[] = [];
  const feature = hooked({
    recall: () => (ask) => {
      const text = texts[asked.length];
      asked.push(ask);
      const found: RecalledMemory | undefined =
        text === undefined
          ? undefined
          : { text, refs: [`${asked.length}:1`], outside: false, record: { ...record, chars: text.length } };
      return Promise.resolve(found);
    },
  });
  return { asked, features: [...STANDARD, feature] as const };
}

/** A user message, and what was recalled for it. */
const user = (text: string, recalled?: string) => ({
  role: "user",
  content: [{ kind: "text", text }, ...(recalled === undefined ? [] : [{ kind: "text", text: recalled, aside: true }])],
});

describe("what a turn recalls", () => {
  test("is a part of its message, a row of the conversation and an event, in the two commits of a plain turn (K17, KM3)", async () => {
    const labels: string[] = [];
    const { asked, features } = remembering(["coffee: black", undefined]);
    const model = scriptedModel(["One.", "Two."]);
    const failpoints = { hit: (name: string): void => void labels.push(name) };
    const core = await bench.start({ model, features, failpoints });
    const first = await core.tasks.start({ context: "c", text: "coffee?" });
    await first.settled();
    expect(labels).toEqual(["task.accept:before", "task.accept:after", "turn.close:before", "turn.close:after"]);
    expect(model.calls[0]?.request.messages).toEqual([user("coffee?", "coffee: black")]);
    expect(await eventsOfKind(core, first.id, "context.recalled")).toEqual([
      { kind: "context.recalled", step: 1, ...record, chars: 13 },
    ]);
    expect(JSON.stringify(await eventsOf(core, first.id))).not.toContain("coffee: black");
    await (await core.tasks.start({ context: "c", text: "and now?" })).settled();
    expect(model.calls[1]?.request.messages).toEqual([
      user("coffee?", "coffee: black"),
      { role: "assistant", text: "One." },
      user("and now?"),
    ]);
    expect(asked.map(({ text, inSight, windowTokens }) => [text, [...inSight], windowTokens])).toEqual([
      ["coffee?", [], 80_000],
      ["and now?", ["1:1"], 80_000],
    ]);
  });

  test("is asked for once, whatever the steps, and shows the same bytes after a restart (K19)", async () => {
    const store = bench.newStore();
    const { tool } = countedTool("count", { effect: "effect" });
    const first = remembering(["remembered"]);
    const model = scriptedModel([[call("count")], []]);
    const asking = { ...tool, approval: () => ({ title: "Count?", detail: "" }) };
    const core = await bench.start({ store, model, tools: [asking], features: first.features });
    const task = await core.tasks.start({ context: "c", text: "count" });
    expect((await task.settled()).state).toBe("parked");
    await bench.crash(core);
    const later = remembering(["again"]);
    const second = scriptedModel(["Done."]);
    const next = await bench.start({ store, model: second, tools: [asking], features: later.features });
    const parked = await next.service.answer(task.id, { class: "operator", input: textInput("approve") });
    await parked.settled();
    expect(answerText(parked)).toBe("Done.");
    expect(first.asked.length).toBe(1);
    expect(later.asked).toEqual([]);
    expect(second.calls[0]?.request.messages[0]).toEqual(user("count", "remembered"));
  });

  test("is nothing for peers, incognito turns and embedders' classes (K3, K4)", async () => {
    const { asked, features } = remembering(["secret", "secret", "secret"]);
    const model = scriptedModel(["1", "2", "3"]);
    const core = await bench.start({ model, features });
    const start = { origin: "a2a", input: textInput("?") } as const;
    for (const callerClass of ["federation", "embedder"])
      await (await core.service.start({ ...start, class: callerClass, context: callerClass })).settled();
    const incognito = textInput("?", { incognito: true });
    await (await core.service.start({ ...start, class: "operator", context: "i", input: incognito })).settled();
    expect(model.calls).toHaveLength(3);
    expect(asked).toEqual([]);
    expect(JSON.stringify(model.calls.map(({ request }) => request.messages))).not.toContain("secret");
  });

  test("is asked for anew once a summary stands for the conversation, and shown in it (K17)", async () => {
    const { asked, features } = remembering(["early", "late"]);
    const compaction = { enabled: true, trigger: { kind: "messages", value: 12 }, keepMessages: 4, model: "" } as const;
    const { tool } = countedTool("read", { effect: "pure" });
    let step = 0;
    const model = scriptedModel(({ system }) => {
      if (system?.startsWith("You summarise")) return "## Intent\nRead.";
      return ++step > 6 ? "Done." : [{ call: { name: "read", args: { step } } }];
    });
    const context = () => ({ ...DEFAULT_CONTEXT_SETTINGS, compaction });
    const core = await bench.start({ model, tools: [tool], features, context });
    await (await core.tasks.start({ context: "c", text: "read" })).settled();
    expect(asked.map(({ inSight }) => [...inSight])).toEqual([[], []]);
    const requests = model.calls.map(({ request }) => JSON.stringify(request.messages));
    const summarised = requests.findIndex((text) => text.includes("oldest message first"));
    expect(requests[summarised]).not.toContain("early");
    expect(requests[summarised + 1]).toContain("late");
    expect(requests.at(-1)).toContain("late");
  });
});
