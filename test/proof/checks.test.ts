import { expect, test } from "vitest";
import { runChecks } from "./checks/run-checks.ts";

test("checks, schedules, prompts and evidence that are meant to harm get the stated answer, and start nothing (issue 19, 14; G12)", async () => {
  // How long the loop was held up is the proof's to hold: it depends on the machine.
  const { cases, violations } = await runChecks({ brief: true, bytes: 20_000_000, leastMs: Number.POSITIVE_INFINITY });
  expect(violations).toEqual([]);
  expect(cases.length).toBeGreaterThan(25);
});
