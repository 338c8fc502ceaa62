import fc from "fast-check";
import { expect, test } from "vitest";
import { manualClock } from "../testing/manual-clock.ts";
import { Agenda } from "./index.ts";

/** Runs that end when they are let go. */
function held(most: number) {
  const clock = manualClock(0);
  const begun: string[] = [];
  const running = new Map<string, () => void>();
  let [atOnce, twice] = [0, false];
  const run = (key: string) => {
    begun.push(key);
    twice ||= running.has(key);
    return new Promise<void>((resolve) => {
      running.set(key, () => {
        running.delete(key);
        resolve();
      });
      atOnce = Math.max(atOnce, running.size);
    });
  };
  const agenda = new Agenda({ clock, most, run });
  const endAll = async () => {
    for (; running.size > 0; await clock.advance(0)) for (const end of [...running.values()]) end();
  };
  return { clock, agenda, begun, running, endAll, seen: () => ({ atOnce, twice }) };
}

test("so many run at once, the others in their order as places come free (DT5)", async () => {
  const { clock, agenda, begun, running } = held(2);
  for (const key of ["d", "b", "a", "c"]) agenda.set(key, key === "d" ? 5 : 1);
  await clock.advance(10);
  expect(begun).toEqual(["b", "a"]);
  running.get("a")!();
  await clock.advance(0);
  expect(begun).toEqual(["b", "a", "c"]);
  running.get("b")!();
  await clock.advance(0);
  expect(begun).toEqual(["b", "a", "c", "d"]);
});

test("a key that is due while it runs runs afterwards, once, and keeps no other from running (DT5)", async () => {
  const { clock, agenda, begun, running } = held(2);
  agenda.set("a", 1);
  await clock.advance(1);
  agenda.set("a", 2);
  agenda.set("a", 3);
  agenda.set("b", 4);
  await clock.advance(10);
  expect(begun).toEqual(["a", "b"]);
  running.get("a")!();
  await clock.advance(0);
  expect(begun).toEqual(["a", "b", "a"]);
  running.get("a")!();
  await clock.advance(100);
  expect(begun).toHaveLength(3);
});

test("a clock on the wall that jumps is noticed within 30 s, one that is set back starts nothing early (DT6)", async () => {
  const manual = manualClock(0);
  let shift = 0;
  const begun: number[] = [];
  const clock = { ...manual, now: () => manual.now() + shift };
  const agenda = new Agenda({ clock, most: 8, run: async () => void begun.push(clock.now()) });
  agenda.set("a", 3_600_000);
  await manual.advance(10_000);
  shift = 3_600_000;
  await manual.advance(20_000);
  expect(begun).toEqual([3_630_000]);
  agenda.set("b", 3_660_000);
  shift = 0;
  await manual.advance(60_000);
  expect(begun).toHaveLength(1);
  await manual.advance(3_600_000);
  expect(begun).toHaveLength(2);
  expect(manual.nextAt()).toBeUndefined();
});

test("whatever is set, replaced and taken away: what is left runs at its time, and what comes first is never late", async () => {
  const key = fc.integer({ min: 0, max: 20 }).map(String);
  const step = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({ do: fc.constant("set" as const), key, wait: fc.integer({ min: 0, max: 90_000 }) }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant("delete" as const), key }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant("advance" as const), ms: fc.nat(40_000) }) },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 120 }), async (steps) => {
      const clock = manualClock(0);
      const due = new Map<string, number>();
      const ran: unknown[] = [];
      const expected: unknown[] = [];
      const agenda = new Agenda({ clock, most: 8, run: async (one) => void ran.push([one, clock.now()]) });
      for (const one of [...steps, { do: "advance" as const, ms: 100_000 }]) {
        if (one.do === "set") {
          agenda.set(one.key, clock.now() + one.wait);
          due.set(one.key, clock.now() + one.wait);
        } else if (one.do === "delete") {
          agenda.delete(one.key);
          due.delete(one.key);
        } else {
          const now = [...due].filter(([, at]) => at <= clock.now() + one.ms);
          expected.push(...now.map(([name, at]) => [name, at]));
          for (const [name] of now) due.delete(name);
          await clock.advance(one.ms);
          await clock.advance(0);
        }
      }
      const byText = (list: unknown[]) => list.map((entry) => JSON.stringify(entry)).sort();
      expect(byText(ran)).toEqual(byText(expected));
      expect(clock.nextAt()).toBeUndefined();
    }),
    { numRuns: 60 },
  );
});

test("never more than so many and never one beside itself, whenever runs end; a stop waits for them (DT5)", async () => {
  const set = fc.record({ key: fc.integer({ min: 0, max: 6 }).map(String), wait: fc.nat(20), end: fc.nat(3) });
  await fc.assert(
    fc.asyncProperty(fc.array(set, { maxLength: 60 }), async (sets) => {
      const { clock, agenda, begun, running, endAll, seen } = held(3);
      for (const { key, wait, end } of sets) {
        agenda.set(key, clock.now() + wait);
        await clock.advance(5);
        for (const one of [...running.values()].slice(0, end)) one();
      }
      await clock.advance(100);
      await endAll();
      expect(new Set(begun)).toEqual(new Set(sets.map(({ key }) => key)));
      expect(seen().twice).toBe(false);
      expect(seen().atOnce).toBeLessThanOrEqual(3);
      agenda.set("last", clock.now());
      await clock.advance(0);
      const stopped = agenda.stop();
      agenda.set("never", clock.now());
      await endAll();
      await stopped;
      expect(begun.at(-1)).toBe("last");
    }),
    { numRuns: 30 },
  );
});
