import { describe, expect, it } from "vitest";
import { manualClock } from "../testing/manual-clock.ts";
import { sleep, systemClock } from "./index.ts";

describe("systemClock", () => {
  it("returns the machine's time and runs a timer once", async () => {
    const clock = systemClock();
    const before = Date.now();
    const now = clock.now();
    expect([before, now, Date.now()].toSorted((a, b) => a - b)[1]).toBe(now);
    await new Promise<void>((resolve) => clock.setTimeout(resolve, 1));
  });

  it("never runs a cancelled timer", async () => {
    const clock = systemClock();
    let ran = false;
    clock.setTimeout(() => (ran = true), 1).cancel();
    await new Promise<void>((resolve) => clock.setTimeout(resolve, 5));
    expect(ran).toBe(false);
  });
});

describe("manualClock", () => {
  it("runs due timers in the order of their times, then of their setting, also those set on the way", async () => {
    const clock = manualClock(0);
    const seen: string[] = [];
    clock.setTimeout(() => seen.push(`b${clock.now()}`), 20);
    clock.setTimeout(() => seen.push(`c${clock.now()}`), 20);
    clock.setTimeout(() => {
      seen.push(`a${clock.now()}`);
      clock.setTimeout(() => seen.push(`d${clock.now()}`), 15);
    }, 10);
    clock.setTimeout(() => seen.push("late"), 31);
    await clock.advance(30);
    expect(seen).toEqual(["a10", "b20", "c20", "d25"]);
    expect(clock.now()).toBe(30);
    expect(clock.pending()).toBe(1);
  });

  it("lets what a timer woke run before the next timer", async () => {
    const clock = manualClock(0);
    const seen: string[] = [];
    async function wait(name: string, ms: number): Promise<void> {
      await sleep(clock, ms);
      seen.push(name);
      await sleep(clock, ms);
      seen.push(name);
    }
    const both = Promise.all([wait("slow", 10), wait("quick", 4)]);
    await clock.advance(20);
    await both;
    expect(seen).toEqual(["quick", "quick", "slow", "slow"]);
  });

  it("resolves when a wait begins", async () => {
    const clock = manualClock();
    const waiting = clock.untilPending(2);
    clock.setTimeout(() => {}, 1);
    clock.setTimeout(() => {}, 1);
    await waiting;
    expect(clock.pending()).toBe(2);
  });
});

describe("sleep", () => {
  it("rejects with the signal's reason and leaves no timer behind", async () => {
    const clock = manualClock();
    const abort = new AbortController();
    const sleeping = sleep(clock, 1_000, abort.signal);
    abort.abort("enough");
    await expect(sleeping).rejects.toBe("enough");
    expect(clock.pending()).toBe(0);
    await expect(sleep(clock, 1, abort.signal)).rejects.toBe("enough");
  });
});
