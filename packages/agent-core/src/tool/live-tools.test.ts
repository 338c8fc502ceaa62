import { type AnyTool, defineTool } from "@agent-service/plugin-sdk";
import * as v from "valibot";
import { afterAll, afterEach, expect, test } from "vitest";
import { answerText, call, callsOf, coreBench, countedTool, hooked, STANDARD } from "../core-bench.ts";
import { scriptedModel } from "../testing/scripted-model.ts";
import { narrowToolbox, sealableToolbox, type ToolContribution, type ToolPolicy } from "./index.ts";

const bench = coreBench();
afterEach(() => bench.end());
afterAll(() => bench.remove());

const named = (name: string, more: Partial<AnyTool> = {}): AnyTool =>
  defineTool({ name, description: `Does ${name}.`, input: v.object({}), run: () => name, ...more });

/** A toolbox of the tools `own` and of sources whose lists a test changes. */
function toolboxOf({ own = ["own"], ...sources }: { own?: readonly string[]; [source: string]: unknown } = {}) {
  const warnings: string[] = [];
  let policy: ToolPolicy = { dropped: [] };
  const lists: { [source: string]: readonly AnyTool[] } = { mcp: [], plugin: [], ...sources };
  const toolbox = sealableToolbox({ warn: (line) => warnings.push(line), policy: () => policy });
  const live: readonly ToolContribution[] = [
    { source: "mcp", tools: () => lists.mcp ?? [] },
    { source: "plugin", tools: () => lists.plugin ?? [] },
  ];
  toolbox.seal([...live, { source: "core", tools: own.map((name) => named(name)) }]);
  const setPolicy = (now: ToolPolicy): void => {
    policy = now;
  };
  return { toolbox, warnings, lists, live, setPolicy };
}

const shownNames = ({ shown }: { readonly shown: { readonly list: readonly { readonly name: string }[] } }) =>
  shown.list.map(({ name }) => name);

test("live tools come and go behind the others", () => {
  const { toolbox, lists } = toolboxOf();
  const [a, b, c] = [named("a"), named("b"), named("c")];
  lists.mcp = [a, b];
  expect(shownNames(toolbox)).toEqual(["own", "a", "b"]);
  const before = toolbox.shown;
  lists.mcp = [c, a, b];
  expect(shownNames(toolbox)).toEqual(["own", "a", "b", "c"]);
  expect(toolbox.shown.list.slice(0, 3)).toEqual(before.list);
  lists.mcp = [c, named("a", { description: "Does a otherwise." })];
  expect(shownNames(toolbox)).toEqual(["own", "a", "c"]);
  expect(toolbox.shown.list[1]?.description).toBe("Does a otherwise.");
  expect(toolbox.get("b")).toBeUndefined();
  lists.mcp = [];
  expect(toolbox.names).toEqual(["own"]);
});

test("an unchanged source keeps what is shown", () => {
  const { toolbox, lists } = toolboxOf({ mcp: [named("a")] });
  const turn = { subagent: false, peer: true };
  const [shown, view, tools] = [toolbox.shown, toolbox.for(turn), lists.mcp];
  expect(toolbox.shown).toBe(shown);
  // Another array of the same tools is no change either.
  lists.mcp = [...(tools ?? [])];
  expect(toolbox.shown).toBe(shown);
  expect(toolbox.for(turn)).toBe(view);
  expect(view.shown).toBe(shown);
});

test("a live tool is prepared once", () => {
  let reads = 0;
  const counted = Object.defineProperty(named("a"), "input", {
    get() {
      reads++;
      return v.object({});
    },
  });
  const { toolbox, lists } = toolboxOf({ mcp: [counted] });
  expect(toolbox.names).toEqual(["own", "a"]);
  const once = reads;
  lists.mcp = [counted, named("b")];
  expect(toolbox.names).toEqual(["own", "a", "b"]);
  expect(reads).toBe(once);
});

test("a bad or taken name is left out with one warning", () => {
  const { toolbox, warnings, lists, live } = toolboxOf();
  const [own, both] = [named("own"), named("both")];
  lists.mcp = [named("no spaces"), named("x".repeat(65)), own, named("own"), both, named("twice"), named("twice")];
  lists.plugin = [named("both")];
  expect(toolbox.names).toEqual(["own", "both", "twice"]);
  expect(toolbox.get("own")).not.toBe(own);
  expect(toolbox.get("both")).toBe(lists.plugin[0]);
  expect(warnings).toHaveLength(5);
  expect(warnings.join("\n")).toMatch(/named both is left out: there is one of that name \(plugin\) already/);
  expect(toolbox.toolsOf(live[0]!).map(({ name }) => name)).toEqual(["twice"]);
  lists.mcp = [...lists.mcp, named("more")];
  expect(toolbox.names).toContain("more");
  expect(warnings).toHaveLength(5);
});

test("a source that throws keeps the tools it had", () => {
  const warnings: string[] = [];
  let isBroken = false;
  const tools = [named("a")];
  const toolbox = sealableToolbox({ warn: (line) => warnings.push(line) });
  const list = () => {
    if (isBroken) throw new Error("gone");
    return tools;
  };
  toolbox.seal([{ source: "mcp", tools: list }]);
  expect(toolbox.names).toEqual(["a"]);
  isBroken = true;
  expect([toolbox.names, toolbox.names]).toEqual([["a"], ["a"]]);
  expect(warnings).toEqual([expect.stringContaining("gone")]);
});

test("policy, audience and narrowing hold for live tools", () => {
  const { toolbox, lists, setPolicy } = toolboxOf();
  lists.mcp = [named("s__a"), named("s__b", { availableTo: ["lead", "subagents"] })];
  expect(toolbox.for({ subagent: false, peer: true }).names).toEqual(["own", "s__a"]);
  expect(narrowToolbox(toolbox, (name) => name !== "s__a").names).toEqual(["own", "s__b"]);
  setPolicy({ dropped: ["s__*"] });
  expect(toolbox.names).toEqual(["own"]);
  setPolicy({ dropped: [], deferred: { keep: ["own"] } });
  expect([...(toolbox.withheld?.keys() ?? [])]).toEqual(["s__a", "s__b"]);
});

test("too many tools: those of others are withheld", () => {
  const { toolbox, lists, setPolicy } = toolboxOf({ own: ["own", "search_tools"] });
  setPolicy({ dropped: [], withholdAbove: 3 });
  lists.mcp = [named("a"), named("b", { availableTo: ["lead"] })];
  expect(shownNames(toolbox)).toEqual(["own", "a", "b"]);
  expect(toolbox.get("search_tools")).toBeUndefined();
  lists.plugin = [named("c")];
  expect(shownNames(toolbox)).toEqual(["own", "search_tools"]);
  expect([...(toolbox.withheld?.keys() ?? [])].toSorted()).toEqual(["a", "b", "c"]);
  // A peer has one tool less: nothing is withheld from it.
  expect(shownNames(toolbox.for({ subagent: false, peer: true })).toSorted()).toEqual(["a", "c", "own"]);
  setPolicy({ dropped: ["search_*"], withholdAbove: 3 });
  expect(toolbox.withheld).toBeUndefined();
  expect(shownNames(toolbox)).toHaveLength(4);
});

test("a tool that is to be searched for is withheld, and shown where nothing can be searched for", () => {
  const { toolbox, lists, setPolicy } = toolboxOf({ own: ["own", "search_tools"] });
  setPolicy({ dropped: [], withholdAbove: 2 });
  lists.mcp = [named("a"), named("rare", { deferred: true })];
  expect(shownNames(toolbox)).toEqual(["own", "search_tools", "a"]);
  expect([...(toolbox.withheld?.keys() ?? [])]).toEqual(["rare"]);
  lists.mcp = [named("a"), named("b"), named("rare", { deferred: true })];
  expect([...(toolbox.withheld?.keys() ?? [])].toSorted()).toEqual(["a", "b", "rare"]);
  setPolicy({ dropped: ["search_*"] });
  expect(shownNames(toolbox).toSorted()).toEqual(["a", "b", "own", "rare"]);
});

test("a call ends on the tool it began with", async () => {
  let tools: readonly AnyTool[] = [];
  const going = Promise.withResolvers<void>();
  const left = Promise.withResolvers<void>();
  const leaving = named("leaving", {
    run: async () => {
      going.resolve();
      await left.promise;
      return "I was here.";
    },
  });
  tools = [leaving];
  const source = hooked({ tools: () => () => tools });
  const model = scriptedModel([[call("leaving")], [call("leaving")], "Done."]);
  const core = await bench.start({ model, features: [...STANDARD, source] });
  expect(core.toolGroups.at(-1)).toEqual({ category: "hooked", source: "core", tools: [leaving] });
  const task = await core.tasks.start({ text: "go" });
  await going.promise;
  tools = [countedTool("other").tool];
  left.resolve();
  await task.settled();
  expect(answerText(task)).toBe("Done.");
  expect(await callsOf(core, task.id)).toMatchObject([{ outcome: "ok" }, { outcome: "error" }]);
  const asked = model.calls.map(({ request }) => request);
  expect(asked[0]?.tools.map(({ name }) => name)).toEqual(["leaving"]);
  expect(asked[1]?.tools.map(({ name }) => name)).toEqual(["other"]);
  expect(asked[1]?.messages.at(-1)).toMatchObject({ text: "I was here." });
  expect(asked[2]?.messages.at(-1)).toMatchObject({ text: expect.stringContaining("no tool named") });
});

test("an unknown tool is answered with some names", async () => {
  const tools = Array.from({ length: 300 }, (_, n) => named(`tool_${n}`));
  const model = scriptedModel([[call("nothing")], "Done."]);
  const core = await bench.start({ model, tools });
  await (await core.tasks.start({ text: "go" })).settled();
  const answer = JSON.stringify(model.calls[1]?.request.messages.at(-1));
  expect(answer).toMatch(/no tool named .*nothing.*\. Tools: tool_0, .*tool_127 and 172 more\./);
});
