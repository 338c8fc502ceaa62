import fc from "fast-check";
import { afterAll, afterEach, expect, test } from "vitest";
import { coreBench } from "../core-bench.ts";
import { type ManualClock, manualClock } from "../testing/manual-clock.ts";
import { scriptedModel } from "../testing/scripted-model.ts";
import { type DurableTimer, DurableTimers, type FireTimer } from "./index.ts";

const bench = coreBench();
afterEach(() => bench.end());
afterAll(() => bench.remove());

async function setting() {
  const { db, bus } = await bench.start({ model: scriptedModel(() => "hello") });
  const clock = manualClock(0);
  const warnings: string[] = [];
  const fired: string[] = [];
  const commit: FireTimer = async ({ id, class: caller }, settle, key) => {
    const remember = "INSERT INTO idempotency (class, key, digest, task, created_at) VALUES (?, ?, '', '', 0)";
    await db.commit({ label: "test.fire", statements: [settle, { sql: remember, args: [caller, key] }] });
    fired.push(id);
  };
  const open = async (fire: FireTimer = commit) => {
    const log = { warn: (message: string) => void warnings.push(message) };
    const timers = new DurableTimers({ db, clock, log, bus, fire: (kind) => (kind === "wait" ? fire : undefined) });
    await timers.start();
    return timers;
  };
  const rows = async () => (await db.read({ sql: "SELECT id FROM timer ORDER BY id", args: [] })).map(([id]) => id);
  return { clock, fired, warnings, commit, open, rows };
}

const timer = (id: string, due: number, context = "c"): DurableTimer => {
  return { id, kind: "wait", class: "operator", context, due, body: {} };
};
/** Lets what is due be fired: one firing after another sets the clock's timer for the next. */
async function until(clock: ManualClock, met: () => boolean): Promise<void> {
  while (!met()) await clock.advance(0);
}

test("fires what is due in order, once, also what a former process set (DT1–DT3)", async () => {
  const { clock, fired, open, rows } = await setting();
  const first = await open();
  for (const [id, due] of [
    ["b", 2_000],
    ["a", 1_000],
    ["late", 3 * 2 ** 31],
  ] as const)
    expect(await first.set(timer(id, due, id))).toBe(true);
  await clock.advance(999);
  expect(fired).toEqual([]);
  await first.stop();
  const second = await open();
  await clock.advance(5_000);
  await until(clock, () => fired.length === 2);
  expect(fired).toEqual(["a", "b"]);
  expect(await rows()).toEqual(["late"]);
  expect(await second.set(timer("a", 9_000, "a"))).toBe(false);
  await clock.advance(3 * 2 ** 31);
  await until(clock, () => fired.length === 3);
  expect(clock.nextAt()).toBeUndefined();
  await second.stop();
});

test("tries again, later each time, what could not be fired", async () => {
  const { clock, fired, warnings, commit, open } = await setting();
  let refusals = 2;
  const timers = await open(async (...args) => {
    if (refusals-- > 0) throw new Error("the store is full");
    await commit(...args);
  });
  await timers.set(timer("a", 1_000));
  await clock.advance(1_000);
  await until(clock, () => warnings.length === 1);
  await clock.untilDueIn(5_000);
  await clock.advance(5_000);
  await until(clock, () => warnings.length === 2);
  await clock.untilDueIn(10_000);
  await clock.advance(10_000);
  await until(clock, () => fired.length === 1);
  expect(warnings[1]).toBe("timer a (wait) could not fire, again in 10 s: Error: the store is full");
  await timers.stop();
});

test("a stop waits for what is being fired, and nothing is fired after it", async () => {
  const { clock, fired, commit, open, rows } = await setting();
  const [begun, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const timers = await open(async (...args) => {
    begun.resolve();
    await held.promise;
    await commit(...args);
  });
  await timers.set(timer("a", 1_000));
  await timers.set(timer("b", 2_000));
  await clock.advance(1_000);
  await begun.promise;
  const stopped = timers.stop();
  held.resolve();
  await stopped;
  expect([fired, clock.nextAt(), await rows()]).toEqual([["a"], undefined, ["b"]]);
});

test("takes away the timers of one conversation", async () => {
  const { clock, fired, open, rows } = await setting();
  const timers = await open();
  await timers.set(timer("a", 1_000, "one"));
  await timers.set(timer("b", 1_000, "two"));
  await timers.cancelOf({ class: "operator", context: "one" });
  await timers.cancelOf({ class: "federation", context: "two" });
  await clock.advance(1_000);
  await until(clock, () => fired.length === 1);
  expect(fired).toEqual(["b"]);
  expect(await rows()).toEqual([]);
  await timers.stop();
});

test("whatever is set, replaced, taken away and restarted: what is left over fires once when it is due", async () => {
  const context = fc.constantFrom("x", "y");
  const step = fc.oneof(
    fc.record({ do: fc.constant("set" as const), context, wait: fc.integer({ min: 1, max: 50 }) }),
    fc.record({ do: fc.constant("cancel" as const), context }),
    fc.record({ do: fc.constant("advance" as const), ms: fc.nat(40) }),
    fc.record({ do: fc.constant("restart" as const) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const { clock, fired, open, rows } = await setting();
      let timers = await open();
      const waiting = new Map<string, DurableTimer>();
      const expected = new Set<string>();
      const settle = async () => {
        for (const [at, one] of waiting) {
          if (one.due > clock.now()) continue;
          expected.add(one.id);
          waiting.delete(at);
        }
        await until(clock, () => fired.length >= expected.size);
      };
      for (const [index, one] of steps.entries()) {
        if (one.do === "set") {
          const next = timer(String(index), clock.now() + one.wait, one.context);
          expect(await timers.set(next, { alone: true })).toBe(true);
          waiting.set(one.context, next);
        } else if (one.do === "cancel") {
          await timers.cancelOf({ class: "operator", context: one.context });
          waiting.delete(one.context);
        } else if (one.do === "advance") {
          await clock.advance(one.ms);
          await settle();
        } else {
          await timers.stop();
          timers = await open();
        }
      }
      await clock.advance(100);
      await settle();
      expect(new Set(fired)).toEqual(expected);
      expect(fired).toHaveLength(expected.size);
      expect(await rows()).toEqual([]);
      await timers.stop();
      await bench.end();
    }),
    { numRuns: 8 },
  );
});
