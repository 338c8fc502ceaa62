import { expect, test } from "vitest";
import { HOSTILE_SCRIPTS } from "./scripts/hostile-scripts.ts";
import { runHostileScripts } from "./scripts/run-hostile-scripts.ts";

test("a hostile script ends in time, is bounded, and reaches nothing but the tools it may call (F18, SC1)", async () => {
  const tried = HOSTILE_SCRIPTS.filter((_, index) => index % 6 === 3);
  const report = await runHostileScripts(tried, { seconds: 1 });
  expect(report).toMatchObject({ violations: [], ended: tried.length });
  expect(HOSTILE_SCRIPTS.length).toBeGreaterThanOrEqual(60);
  expect(tried.length).toBeGreaterThanOrEqual(12);
});

test("the canaries notice what they must: a tool out of reach that was called, and a secret in a result", async () => {
  const reaching = { kind: "bridge", code: "return await tools.forbidden({})" } as const;
  const { violations } = await runHostileScripts([reaching], { seconds: 5, tools: ["forbidden"] });
  expect(violations).toEqual([
    expect.stringContaining("the secret was read"),
    expect.stringContaining("a tool that settings leave out was reached"),
  ]);
});
