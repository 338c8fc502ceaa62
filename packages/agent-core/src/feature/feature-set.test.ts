import { defineTool } from "@agent-service/plugin-sdk";
import * as v from "valibot";
import { afterAll, afterEach, expect, test } from "vitest";
import { coreBench, hooked } from "../core-bench.ts";
import { createAgentCore } from "../create-agent-core.ts";
import { scriptedModel } from "../testing/scripted-model.ts";
import { defineFeature, type FeatureHooks, featureKey } from "./index.ts";

const bench = coreBench();
afterEach(() => bench.end());
afterAll(() => bench.remove());

const model = () => ({ model: scriptedModel(() => "Done."), name: "m" });

/** A feature that writes its phases into a log. */
function logged<const Name extends string>(name: Name, log: string[], more: FeatureHooks<string> = {}) {
  return defineFeature({ name, ...phases(name, log), ...more });
}

function phases(name: string, log: string[]) {
  const note = (phase: string) => (): void => void log.push(`${name} ${phase}`);
  return {
    open() {
      log.push(`${name} open`);
      return name;
    },
    tools: () => {
      note("seal")();
      return [];
    },
    recover: async () => note("recover")(),
    start: note("start"),
    quiesce: note("quiesce"),
    drain: note("drain"),
    close: note("close"),
  };
}

test("features open after their needs, each phase after the one before, and close in reverse (FT1)", async () => {
  const log: string[] = [];
  const first = logged("first", log);
  const second = defineFeature({ name: "second", needs: [first], ...phases("second", log) });
  const core = await createAgentCore({ store: ":memory:", model: model(), features: [second, first] });
  await core.stop();
  expect(log).toEqual([
    ...["first open", "second open", "first seal", "second seal"],
    ...["first recover", "second recover", "first start", "second start"],
    ...["second quiesce", "first quiesce", "second drain", "first drain", "second close", "first close"],
  ]);
});

test("a feature is given what its needs opened, and its settings as they are now", async () => {
  const section = {
    name: "pace",
    description: "How fast.",
    schema: v.object({ speed: v.optional(v.number(), 1) }),
    fields: { speed: { label: "Speed", description: "Meters per second.", type: "number" } },
  } as const;
  const base = defineFeature({ name: "base", open: () => ({ text: "hello" }) });
  const above = defineFeature({
    name: "above",
    needs: [base],
    sections: [section],
    open: (_engine, { needs, settings }) => ({ text: needs.base.text, speed: () => settings.pace.speed }),
  });
  let speed = 2;
  const options = { store: ":memory:", model: model(), features: [base, above] } as const;
  const core = await createAgentCore({ ...options, settings: () => ({ speed }) });
  expect([core.features.above.text, core.features.above.speed()]).toEqual(["hello", 2]);
  speed = 3;
  expect(core.features.above.speed()).toBe(3);
  await core.stop();
  const plain = await createAgentCore(options);
  expect(plain.features.above.speed()).toBe(1);
  await plain.stop();
});

test("a feature whose needs are not listed, or listed twice, or in a circle, is named when the engine starts", async () => {
  const base = defineFeature({ name: "base", open: () => 1 });
  const above = defineFeature({ name: "above", needs: [base], open: () => 2 });
  // @ts-expect-error: `base` is not listed.
  const without = createAgentCore({ store: ":memory:", model: model(), features: [above] });
  await expect(without).rejects.toThrow("feature above: needs base, which is not listed");
  const twice = createAgentCore({ store: ":memory:", model: model(), features: [base, base] });
  await expect(twice).rejects.toMatchObject({ code: "feature.duplicate", feature: "base" });
  const egg = defineFeature({ name: "egg", needs: [featureKey<"hen", number>("hen")], open: () => 1 });
  const hen = defineFeature({ name: "hen", needs: [egg], open: () => 2 });
  const circle = createAgentCore({ store: ":memory:", model: model(), features: [hen, egg] });
  await expect(circle).rejects.toThrow("feature hen: needs itself: hen → egg → hen");
});

test.each(["open", "seal", "recover", "start"] as const)(
  "a feature that fails to %s is named, and what was opened is closed and the store free again (FT3)",
  async (phase) => {
    const store = bench.newStore();
    const log: string[] = [];
    const fails = (): never => {
      throw new Error("no disk");
    };
    const hook = { open: "open", seal: "tools", recover: "recover", start: "start" }[phase];
    const broken = defineFeature({ name: "broken", open: () => 1, [hook]: fails });
    const starting = createAgentCore({ store, model: model(), features: [logged("first", log), broken] });
    await expect(starting).rejects.toMatchObject({
      ...{ code: `feature.${phase}_failed`, feature: "broken", cause: { message: "no disk" } },
      message: `feature broken: ${phase} failed: no disk`,
    });
    expect(log.filter((line) => line.endsWith("close"))).toEqual(["first close"]);
    const again = await createAgentCore({ store, model: model() });
    await again.stop();
  },
);

test("a feature that fails while the engine stops does not keep the others from stopping", async () => {
  const log: string[] = [];
  const warnings: string[] = [];
  const failing = (): never => {
    throw new Error("stuck");
  };
  const core = await createAgentCore({
    ...{ store: ":memory:", model: model(), log: { info: () => {}, warn: (line) => void warnings.push(line) } },
    features: [logged("first", log), logged("second", log, { quiesce: failing, close: failing })],
  });
  await core.stop();
  expect(log.slice(-4)).toEqual(["first quiesce", "second drain", "first drain", "first close"]);
  expect(warnings).toEqual([
    "FeatureError: feature second: quiesce failed: stuck",
    "FeatureError: feature second: close failed: stuck",
  ]);
});

test("what only one feature may provide conflicts by name", async () => {
  const timers = () => ({ wait: async () => undefined });
  const one = defineFeature({ name: "one", open: () => 1, timers });
  const two = defineFeature({ name: "two", open: () => 2, timers });
  const starting = createAgentCore({ store: ":memory:", model: model(), features: [one, two] });
  await expect(starting).rejects.toThrow("feature two: one owns timers of kind wait");
  const traceparent = () => () => "00-1";
  const traced = (name: "a" | "b") => defineFeature({ name, open: () => 1, traceparent });
  const both = createAgentCore({ store: ":memory:", model: model(), features: [traced("a"), traced("b")] });
  await expect(both).rejects.toMatchObject({ code: "feature.conflict", feature: "b" });
});

test("tools, commands and observers of features are the engine's; what they need later is refused while they open", async () => {
  const seen: string[] = [];
  const greet = defineTool({ name: "greet", description: "Greets.", input: v.object({}), run: () => "hi" });
  const feature = defineFeature({
    name: "greeting",
    category: "manners",
    open({ toolbox }) {
      expect(() => toolbox.names).toThrow("before all features are open");
      return toolbox;
    },
    tools: () => [greet],
    commands: () => [
      {
        name: "wave",
        kind: "control",
        description: "Waves",
        usage: "/wave",
        run: () => ({ kind: "reply", text: "o/" }),
      },
    ],
    onCommit: (_, view) => void seen.push(view.state),
    onModelCall: (_, { model }) => void seen.push(model),
  });
  const core = await bench.start({
    model: scriptedModel([[{ call: { name: "greet" } }], "Done."]),
    features: [feature],
  });
  await (await core.tasks.start({ text: "go" })).settled();
  expect(core.toolGroups).toEqual([{ category: "manners", source: "core", tools: [greet] }]);
  expect(core.features.greeting.names).toEqual(["greet"]);
  expect(core.service.commands.names()).toContain("/wave");
  expect(seen).toEqual(
    expect.arrayContaining(["running", "m", "completed"].map((text) => (text === "m" ? "scripted" : text))),
  );
});

test("statements of a feature become durable with the task they accompany, and only there", async () => {
  const held = hooked({
    accompany: (_, { id }, at) => [{ sql: "INSERT INTO activity (task, at) VALUES (?, ?)", args: [id, at] }],
  });
  const core = await bench.start({ model: scriptedModel(() => "Done."), features: [held] });
  const { id } = await core.tasks.start({ text: "go" });
  expect(await core.db.read({ sql: "SELECT task FROM activity", args: [] })).toEqual([[id]]);
});
