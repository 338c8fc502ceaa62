import { parse } from "valibot";
import { afterAll, afterEach, expect, test } from "vitest";
import { coreBench, countedTool } from "../core-bench.ts";
import { manualClock } from "../testing/manual-clock.ts";
import { scriptedModel } from "../testing/scripted-model.ts";
import { promptWarming } from "./index.ts";

const bench = coreBench();
afterEach(() => bench.end());
afterAll(() => bench.remove());

test("prompt warming sends the same prefix as a turn (B55 `prompt_cache.warm`)", async () => {
  const clock = manualClock();
  const model = scriptedModel(() => "ok");
  const core = await bench.start({
    model,
    clock,
    persona: "You are careful.",
    tools: [countedTool("count").tool],
    features: [promptWarming],
    settings: (section) => parse(section.schema, { warm: { enabled: true, interval_seconds: 60 } }),
  });
  await (await core.tasks.start({ text: "hi" })).settled();
  await clock.advance(60_000);
  // Where the setting has no effect no call comes, and nothing is waited for.
  expect(model.calls).toHaveLength(2);
  const { request } = await model.untilCall(2);
  const turn = model.calls[0]!.request;
  expect([request.model, request.system, request.settings.maxTokens]).toEqual([turn.model, turn.system, 1]);
  expect(request.tools).toBe(turn.tools);
  await clock.advance(60_000);
  expect(model.calls).toHaveLength(3);
  await core.stop({ graceMs: 0 });
  await clock.advance(600_000);
  expect(model.calls).toHaveLength(3);
});
