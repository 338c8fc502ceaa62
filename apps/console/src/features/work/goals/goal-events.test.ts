import { expect, test } from "vitest";
import { eventBadge } from "./goal-events.ts";

const event = { met: null, status: null, reason: "" } as const;

test("a verdict says whether it was met, and a changed pinned file stands out", () => {
  const verdict = { ...event, kind: "verdict" } as const;
  expect(eventBadge({ ...verdict, met: true })).toEqual({ state: "completed", label: "Found met" });
  expect(eventBadge({ ...verdict, met: false }).label).toBe("Not met");
  expect(eventBadge({ ...verdict, met: false, reason: "tampered: a.test.mjs" })).toEqual({
    ...{ state: "failed", label: "Tampered" },
  });
});

test("an end says which, and everything else has a name of its own", () => {
  expect(eventBadge({ ...event, kind: "ended", status: "met" })).toEqual({ state: "completed", label: "Met" });
  expect(eventBadge({ ...event, kind: "ended", status: "unachievable" }).label).toBe("Given up");
  expect(eventBadge({ ...event, kind: "verification_failed" }).label).toBe("Check failed");
});
