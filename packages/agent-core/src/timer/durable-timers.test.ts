import fc from "fast-check";
import { afterAll, afterEach, expect, test } from "vitest";
import { coreBench } from "../core-bench.ts";
import type { Statement } from "../database/index.ts";
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
    await db.commit({ label: "test.fire", statements: [settle.remove, { sql: remember, args: [caller, key] }] });
    fired.push(id);
  };
  const open = async (fire: FireTimer = commit) => {
    const log = { warn: (message: string) => void warnings.push(message) };
    const timers = new DurableTimers({ db, clock, log, bus, fire: (kind) => (kind === "wait" ? fire : undefined) });
    await timers.start();
    return timers;
  };
  const rows = async () => (await db.read({ sql: "SELECT id FROM timer ORDER BY id", args: [] })).map(([id]) => id);
  return { db, clock, fired, warnings, commit, open, rows };
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
    ["late", 90_000],
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
  await clock.advance(90_000);
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

test("one that moves stays and fires again; a kill leaves it where its commit put it (DT1)", async () => {
  const { db, clock, fired, commit, open, rows } = await setting();
  const move: FireTimer = async (one, settle, key) => {
    if (one.due >= 3_000) return commit(one, settle, key);
    await db.commit({ label: "test.move", statements: [settle.moveTo(one.due + 1_000)] });
    fired.push(String(one.due));
  };
  const first = await open(move);
  await first.set(timer("a", 1_000));
  await clock.advance(1_000);
  await until(clock, () => fired.length === 1);
  await first.stop();
  const second = await open(move);
  await clock.advance(1_000);
  await until(clock, () => fired.length === 2);
  await clock.advance(1_000);
  await until(clock, () => fired.length === 3);
  expect([fired, await rows()]).toEqual([["1000", "2000", "a"], []]);
  await second.stop();
});

test("a timer is set, replaced and taken away in commits of others, which decide whether it happens", async () => {
  const { db, clock, fired, open, rows } = await setting();
  const timers = await open();
  const write = async (statement: Statement) => {
    await db.commit({ label: "test.put", statements: [statement] });
  };
  await timers.setWithin(timer("a", 5_000), write);
  await timers.setWithin(timer("a", 1_000), write);
  await timers.setWithin(timer("b", 1_000), write);
  await expect(timers.setWithin(timer("c", 1_000), async () => Promise.reject(new Error("full")))).rejects.toThrow(
    "full",
  );
  await expect(timers.cancelWithin("a", async () => Promise.reject(new Error("full")))).rejects.toThrow("full");
  await timers.cancelWithin("b", write);
  await timers.cancelWithin("b", write);
  expect(await rows()).toEqual(["a"]);
  await clock.advance(1_000);
  await until(clock, () => fired.length === 1);
  await clock.advance(5_000);
  expect([fired, await rows()]).toEqual([["a"], []]);
  await timers.stop();
});

test("what is put in the place of a timer that is being fired stays (DT1)", async () => {
  const { db, clock, fired, commit, open, rows } = await setting();
  const [begun, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const timers = await open(async (...args) => {
    begun.resolve();
    await held.promise;
    await commit(...args);
  });
  await timers.set(timer("a", 1_000));
  await clock.advance(1_000);
  await begun.promise;
  await timers.setWithin(timer("a", 9_000), async (statement) => {
    await db.commit({ label: "test.put", statements: [statement] });
  });
  held.resolve();
  await until(clock, () => fired.length === 1);
  expect(await rows()).toEqual(["a"]);
  await timers.stop();
});

test("one that is put again for the same time while it waits to be settled moves with its row, and is fired once more alone (DT1)", async () => {
  const { db, clock, open, warnings } = await setting();
  const gate = Promise.withResolvers<void>();
  const slots: unknown[] = [];
  const timers = await open(async ({ body }, settle) => {
    if (slots.push(body) === 1) await gate.promise;
    const statement = slots.length === 1 ? settle.moveTo(5_000, { slot: 2 }) : settle.remove;
    await db.commit({ label: "test.fire", statements: [statement] });
    return undefined;
  });
  const first = { ...timer("a", 1_000), body: { slot: 1 } };
  await timers.set(first);
  await clock.advance(1_000);
  await until(clock, () => slots.length === 1);
  await timers.setWithin(first, (statement) => db.commit({ label: "test.put", statements: [statement] }));
  gate.resolve();
  await until(clock, () => timers.ofContext(first)[0]?.due === 5_000 || slots.length > 1);
  expect(slots).toHaveLength(1);
  await clock.advance(4_000);
  await until(clock, () => timers.ofContext(first).length === 0);
  expect([slots, warnings]).toEqual([[{ slot: 1 }, { slot: 2 }], []]);
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
