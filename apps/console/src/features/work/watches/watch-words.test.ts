import { expect, test } from "vitest";
import { fireBadge, firesWhen, watchBadge } from "./watch-words.ts";

const watch = { status: "active", errors: 0, flapping: false } as const;

test("a watch is named with how it stands", () => {
  expect(watchBadge(watch).label).toBe("Watching");
  expect(watchBadge({ ...watch, flapping: true }).label).toBe("Flapping");
  expect(watchBadge({ ...watch, flapping: true, errors: 1 }).label).toBe("Checks fail");
  expect(watchBadge({ ...watch, status: "met", errors: 1 }).label).toBe("Met");
  expect(watchBadge({ ...watch, status: "expired" }).label).toBe("Expired");
});

test("a fire is named with its kind, and a watch with when it fires", () => {
  expect((["met", "change", "expired", "stalled"] as const).map((kind) => fireBadge({ kind }).label)).toEqual([
    ...["It was true", "It changed", "Time was over", "Nothing changed"],
  ]);
  expect(firesWhen({ trigger: "met", repeat: false })).toBe("Once, when it becomes true");
  expect(firesWhen({ trigger: "change", repeat: true })).toBe("Each time what is checked changes");
});
