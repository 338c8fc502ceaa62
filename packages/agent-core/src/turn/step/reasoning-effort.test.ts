import { afterAll, afterEach, expect, test } from "vitest";
import { call, caller, coreBench, countedTool, eventsOfKind, textInput } from "../../core-bench.ts";
import { type EffortSupport, ModelError, type ReasoningEffort } from "../../model/index.ts";
import { scriptedModel } from "../../testing/scripted-model.ts";

const bench = coreBench();
afterEach(() => bench.end());
afterAll(() => bench.remove());

const refusal = new ModelError("bad_request", "gw answered 400: Unsupported parameter: 'reasoning_effort'", {
  status: 400,
});
const ASKING = { class: "operator", origin: "a2a", input: textInput("?"), context: "c" } as const;
const asking = (reasoningEffort: ReasoningEffort | undefined) => ({
  ...ASKING,
  options: reasoningEffort === undefined ? {} : { sampling: { reasoningEffort } },
});

/** A support that remembers refusals. */
function support(taken: readonly ReasoningEffort[] | undefined): EffortSupport & { readonly refusals: string[] } {
  const refusals: string[] = [];
  return {
    refusals,
    taken: () => (taken === undefined && refusals.length > 0 ? [] : taken),
    refused: (effort) => void refusals.push(effort),
  };
}

test("the effort of a message goes with each of its calls and stands in the journal; the default with the others", async () => {
  const { tool } = countedTool("count");
  const model = caller([call("count")]);
  const core = await bench.start({ model: { model, name: "m", settings: { reasoningEffort: "low" } }, tools: [tool] });
  const task = await core.service.start(asking("high"));
  await task.settled();
  expect(model.calls.map(({ request }) => request.settings.reasoningEffort)).toEqual(["high", "high"]);
  expect(await eventsOfKind(core, task.id, "model.finished")).toMatchObject([{ effort: "high" }, { effort: "high" }]);
  const plain = await core.service.start(asking(undefined));
  await plain.settled();
  expect(await eventsOfKind(core, plain.id, "model.finished")).toMatchObject([{ effort: "low" }, { effort: "low" }]);
});

test("a model that is known not to take it is asked without one, which is noted once where the message named it", async () => {
  const { tool } = countedTool("count");
  const model = caller([call("count")]);
  const efforts = support(["low"]);
  const core = await bench.start({
    ...{ model: { model, name: "m", efforts, settings: { reasoningEffort: "max" } }, tools: [tool] },
  });
  const task = await core.service.start(asking("high"));
  await task.settled();
  expect(model.calls.map(({ request }) => request.settings)).toEqual([{}, {}]);
  expect(await eventsOfKind(core, task.id, "guard.noted")).toMatchObject([
    { guard: "reasoning-effort", text: "m does not take the reasoning effort high, so it is asked without one." },
  ]);
  expect((await eventsOfKind(core, task.id, "model.finished"))[0]).not.toHaveProperty("effort");
  const plain = await core.service.start(asking(undefined));
  await plain.settled();
  expect(await eventsOfKind(core, plain.id, "guard.noted")).toEqual([]);
});

test("a refusal is followed by one call without it, journaled; that the provider named it is remembered", async () => {
  const model = scriptedModel(({ settings }) =>
    settings.reasoningEffort === undefined ? "Done." : [{ fail: refusal }],
  );
  const efforts = support(undefined);
  const core = await bench.start({ model: { model, name: "m", efforts } });
  const task = await core.service.start(asking("high"));
  expect((await task.settled()).state).toBe("completed");
  expect(model.calls).toHaveLength(2);
  expect(await eventsOfKind(core, task.id, "model.failed")).toMatchObject([{ effort: "high" }]);
  expect(await eventsOfKind(core, task.id, "guard.noted")).toMatchObject([{ guard: "reasoning-effort" }]);
  expect(efforts.refusals).toEqual(["high"]);
  await (await core.service.start(asking("high"))).settled();
  expect(model.calls).toHaveLength(3);
});

test("a request that is refused for something else fails after one call without it, and nothing is remembered", async () => {
  const other = new ModelError("bad_request", "gw answered 400: no such tool", { status: 400 });
  const model = scriptedModel(() => [{ fail: other }]);
  const efforts = support(undefined);
  const core = await bench.start({ model: { model, name: "m", efforts } });
  const view = await (await core.service.start(asking("high"))).settled();
  expect([view.failure?.code, model.calls.length, efforts.refusals]).toEqual(["model_bad_request", 2, []]);
});

test("a turn that a restart continues keeps its effort", async () => {
  const store = bench.newStore();
  const hangs = scriptedModel(() => [{ hang: true }]);
  const first = await bench.start({ store, model: hangs });
  const task = await first.service.start(asking("high"));
  await hangs.untilCall(1);
  await bench.crash(first);
  const model = scriptedModel(["Done."]);
  const core = await bench.start({ store, model, onRestart: "resume" });
  await (await core.tasks.get(task.id))!.settled();
  expect(model.calls[0]?.request.settings.reasoningEffort).toBe("high");
});
