import { afterAll, afterEach, describe, expect, test } from "vitest";
import { answerText, coreBench, countedTool, eventsOf } from "../../core-bench.ts";
import { ModelError, type ModelErrorCode } from "../../model/index.ts";
import { type ScriptedTurn, scriptedModel } from "../../testing/scripted-model.ts";

const bench = coreBench();
afterEach(() => bench.end());
afterAll(() => bench.remove());

const down = (code: ModelErrorCode = "upstream"): ScriptedTurn => [{ fail: new ModelError(code, `first: ${code}`) }];

/** An agent whose lead model has two fallbacks. */
async function agent(turns: { lead: ScriptedTurn[]; second?: ScriptedTurn[]; third?: ScriptedTurn[] }) {
  const models = [turns.lead, turns.second ?? [], turns.third ?? []].map((list) => scriptedModel(list));
  const [lead, second, third] = models as [(typeof models)[0], (typeof models)[0], (typeof models)[0]];
  const warnings: string[] = [];
  const { tool } = countedTool("count", { effect: "pure" });
  const core = await bench.start({
    model: (value) => ({
      model: lead,
      name: value ?? "lead",
      fallbacks: [
        { model: second, name: "second", settings: { temperature: 1 } },
        { model: third, name: "third" },
      ],
    }),
    tools: [tool],
    log: { info: () => {}, warn: (message) => void warnings.push(message) },
  });
  const modelEvents = async (id: string) =>
    (await eventsOf(core, id)).flatMap(({ event }) =>
      event.kind === "model.fallback"
        ? [`${event.from} -> ${event.to}: ${event.code}`]
        : event.kind === "model.started" || event.kind === "model.failed" || event.kind === "model.finished"
          ? [`${event.kind} ${event.model}`]
          : [],
    );
  return { core, lead, second, third, warnings, modelEvents };
}

describe("a model that fails before its first event (B65 routing.fallback_models)", () => {
  test.each<ModelErrorCode>(["upstream", "rate_limited", "network", "timeout", "unauthorized", "bad_request"])(
    "%s: the next one continues with its own settings, and the journal and the log record it",
    async (code) => {
      const { core, second, warnings, modelEvents } = await agent({ lead: [down(code)], second: ["Second here."] });
      const task = await core.tasks.start({ text: "?" });
      expect(await task.settled()).toMatchObject({ state: "completed", steps: 2, modelCall: undefined });
      expect(answerText(task)).toBe("Second here.");
      expect(await modelEvents(task.id)).toEqual([
        "model.started lead",
        "model.failed lead",
        `lead -> second: model_${code}`,
        "model.started second",
        "model.finished second",
      ]);
      expect(second.calls[0]?.request).toMatchObject({ model: "second", settings: { temperature: 1 } });
      expect(warnings).toEqual([`task ${task.id}: the model lead failed (model_${code}), so second continues`]);
    },
  );

  test("stays with what serves it for the rest of the turn, and begins anew with the next turn", async () => {
    const { core, lead, second } = await agent({
      lead: [down(), "Lead again."],
      second: [[{ call: { name: "count" } }], "Done."],
    });
    const first = await core.tasks.start({ context: "c", text: "?" });
    await first.settled();
    expect([lead.calls.length, second.calls.length, answerText(first)]).toEqual([1, 2, "Done."]);
    const next = await core.tasks.start({ context: "c", text: "?" });
    await next.settled();
    expect(answerText(next)).toBe("Lead again.");
  });

  test("tries the others again, each once, when that one fails too", async () => {
    const { core, modelEvents } = await agent({
      lead: [down(), "Lead is back."],
      second: [[{ call: { name: "count" } }], down("timeout")],
      third: [down("rate_limited")],
    });
    const task = await core.tasks.start({ text: "?" });
    await task.settled();
    expect(answerText(task)).toBe("Lead is back.");
    expect((await modelEvents(task.id)).filter((line) => line.includes("->"))).toEqual([
      "lead -> second: model_upstream",
      "second -> third: model_timeout",
      "third -> lead: model_rate_limited",
    ]);
  });

  test("ends the task with the first one's error when none can serve it", async () => {
    const { core, lead, second, third } = await agent({
      lead: [down("rate_limited")],
      second: [down()],
      third: [down()],
    });
    const view = await (await core.tasks.start({ text: "?" })).settled();
    expect(view).toMatchObject({ state: "failed", failure: { code: "model_rate_limited" } });
    expect([lead, second, third].map(({ calls }) => calls.length)).toEqual([1, 1, 1]);
  });
});

describe("no other model continues", () => {
  test.each<[string, ScriptedTurn]>([
    ["text", [{ say: "Half" }, { fail: new ModelError("network", "gone") }]],
    ["reasoning", [{ think: "Hm" }, { fail: new ModelError("network", "gone") }]],
    ["a tool call", [{ call: { name: "count" } }, { fail: new ModelError("network", "gone") }]],
  ])("after %s came", async (_, turn) => {
    const { core, second } = await agent({ lead: [turn] });
    const view = await (await core.tasks.start({ text: "?" })).settled();
    expect(view).toMatchObject({ state: "failed", failure: { code: "model_network" } });
    expect(second.calls).toEqual([]);
  });

  test("where the caller named a model that does not exist", async () => {
    const { core, second } = await agent({ lead: [down("unknown_model")] });
    const view = await (await core.tasks.start({ text: "?", model: "gpt-nope" })).settled();
    expect(view).toMatchObject({ state: "failed", failure: { code: "model_unknown_model" } });
    expect(second.calls).toEqual([]);
  });

  test("after a bug in an adapter", async () => {
    const { core, second } = await agent({ lead: [[{ fail: new TypeError("oops") }]] });
    const view = await (await core.tasks.start({ text: "?" })).settled();
    expect(view).toMatchObject({ state: "failed", failure: { code: "model_failed" } });
    expect(second.calls).toEqual([]);
  });
});
