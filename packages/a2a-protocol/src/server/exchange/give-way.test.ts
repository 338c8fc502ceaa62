import { describe, expect, it } from "vitest";
import { giveWay } from "./give-way.ts";

describe("after a body was read", () => {
  it("a small one costs no turn, a large one lets the timers' queue go first", async () => {
    const rings: (() => void)[] = [];
    const timers = {
      after(ms: number, ring: () => void) {
        expect(ms).toBe(0);
        rings.push(ring);
        return () => {};
      },
    };
    expect(giveWay("x".repeat(100_000), timers)).toBeUndefined();
    let waited = true;
    const waiting = giveWay("x".repeat(1024 * 1024), timers)?.then(() => (waited = false));
    await Promise.resolve();
    expect([rings.length, waited]).toEqual([1, true]);
    rings[0]?.();
    await waiting;
    expect(waited).toBe(false);
  });
});
