import { expect, it } from "vitest";
import { manualClock } from "../testing/manual-clock.ts";
import { scriptedModel } from "../testing/scripted-model.ts";
import { keepWarm } from "./keep-warm.ts";

function warmed(model: ReturnType<typeof scriptedModel>) {
  const clock = manualClock();
  const settings = { enabled: true, intervalMs: 60_000 };
  const warnings: string[] = [];
  const warming = keepWarm({
    settings: () => settings,
    prefix: () => ({ model, request: { model: "m1", system: "You are.", tools: [], settings: { temperature: 0 } } }),
    clock,
    warn: (message) => warnings.push(message),
  });
  const pass = async (ms: number): Promise<void> => {
    await clock.advance(ms);
    warming.check();
    await clock.advance(0);
  };
  return { settings, warnings, warming, pass };
}

it("asks for one token with the turns' own prefix every interval, while it is switched on", async () => {
  const model = scriptedModel(() => "o");
  const { settings, pass } = warmed(model);
  await pass(59_000);
  expect(model.calls).toHaveLength(0);
  await pass(1_000);
  await pass(30_000);
  expect(model.calls.map((call) => call.request)).toEqual([
    {
      model: "m1",
      system: "You are.",
      tools: [],
      settings: { temperature: 0, maxTokens: 1 },
      messages: [{ role: "user", content: [{ kind: "text", text: "ping" }] }],
    },
  ]);
  settings.enabled = false;
  await pass(600_000);
  settings.enabled = true;
  await pass(59_000);
  expect(model.calls).toHaveLength(1);
  await pass(1_000);
  expect(model.calls).toHaveLength(2);
});

it("a failure is logged once, until a call succeeds; calls do not overlap; a stop cancels the running one", async () => {
  const fail = [{ fail: new Error("down") }];
  const model = scriptedModel([fail, fail, "up", fail, [{ hang: true }], "never"]);
  const { warnings, warming, pass } = warmed(model);
  for (let i = 0; i < 4; i++) await pass(60_000);
  expect(warnings).toEqual([expect.stringContaining("down"), expect.stringContaining("down")]);
  await pass(60_000);
  await pass(60_000);
  expect(model.calls).toHaveLength(5);
  warming.stop();
  expect(model.calls[4]?.options.signal.aborted).toBe(true);
  expect(warnings).toHaveLength(2);
});
