/** Watches that are removed, replaced, changed and checked in the moment they fire (WA1, WA3). */
import fc from "fast-check";
import * as v from "valibot";
import { afterAll, afterEach, expect, test } from "vitest";
import { coreBench, STANDARD } from "../core-bench.ts";
import { defineFeature } from "../feature/index.ts";
import { manualClock } from "../testing/manual-clock.ts";
import { scriptedModel } from "../testing/scripted-model.ts";
import type { CheckVerdict, PreparedCheck, Verifiers } from "../verifier/index.ts";
import { watch } from "./index.ts";

const bench = coreBench();
afterEach(() => bench.end());
afterAll(() => bench.remove());

const OPS = ["check", "clear", "replace", "update", "move", "forget", "off", "on", "hold", "release", "await"] as const;

test("no fire is without its reaction, none is twice, and what was removed leaves nothing, in any order", async () => {
  const sequences = fc.sample(fc.array(fc.constantFrom(...OPS), { minLength: 8, maxLength: 24 }), {
    seed: 19,
    numRuns: 25,
  });
  for (const ops of sequences) {
    let step = 0;
    let poller = true;
    const check: PreparedCheck = { spec: { type: "plugin", check: "core:task", args: {} }, project: "", pins: {} };
    const look = (): CheckVerdict => ({ met: step % 2 === 1, reason: `step ${step}`, evidence: "", digest: `${step}` });
    // A check that looked before a change of its watch may come back after it.
    let gate = Promise.withResolvers<void>();
    gate.resolve();
    const verification = defineFeature({
      name: "verification",
      open() {
        const made = async (): Promise<CheckVerdict> => {
          const found = look();
          await gate.promise;
          return found;
        };
        return { prepare: async () => check, check: made } as Partial<Verifiers> as Verifiers;
      },
    });
    const core = await bench.start({
      ...{ clock: manualClock(), model: scriptedModel(() => "Done.") },
      features: [verification, watch, ...STANDARD] as const,
      settings: (section) => v.parse(section.schema, section.name === "watches" ? { poller } : {}),
    });
    const { watches } = core.features.watch;
    const make = () =>
      watches.create({
        ...{ id: "w", condition: "It holds", verifier: "core:task", context: "s", runPrompt: "React.", repeat: true },
        ...{ by: "operator", createdBy: "operator" },
      });
    await make();
    const act: { readonly [op in (typeof OPS)[number]]: () => unknown } = {
      check: () => watches.check("w"),
      clear: () => watches.clear("w"),
      replace: make,
      update: () => watches.update("w", { condition: `It holds, ${step}`, by: "operator" }),
      move: () => step++,
      forget: () => watches.forgetSession("s"),
      off: () => (poller = false),
      on: () => (poller = true),
      hold() {
        gate.resolve();
        gate = Promise.withResolvers();
      },
      release: () => gate.resolve(),
      await() {
        gate.resolve();
        return watches.idle();
      },
    };
    const under: Promise<unknown>[] = [];
    for (const op of ops) {
      const work = Promise.resolve(act[op]()).catch((error: { readonly code?: string }) => {
        // Gone, or switched off, in that moment.
        expect(["unknown_watch", "off"]).toContain(error.code);
      });
      if (op === "await") await work;
      else under.push(work);
    }
    gate.resolve();
    await Promise.all(under);
    await watches.idle();
    const rows = (sql: string) => core.db.read({ sql, args: [] });
    const tasks = (await rows("SELECT id FROM task WHERE origin = 'watch'")).map(([id]) => String(id));
    for (const id of tasks) await (await core.tasks.get(id))?.settled();
    await watches.idle();
    const fires = await rows("SELECT task, reason FROM watch_fire WHERE watch = 'w' ORDER BY no");
    const named = fires.flatMap(([task]) => (task === null ? [] : [String(task)]));
    expect(new Set(named).size, ops.join(" ")).toBe(named.length);
    for (const task of named) expect(tasks).toContain(task);
    const shown = watches.get("w");
    const stored = await rows("SELECT count(*) FROM watch");
    expect(Number(stored[0]?.[0]), ops.join(" ")).toBe(shown === undefined ? 0 : 1);
    if (shown === undefined) expect(fires).toEqual([]);
    else {
      expect(shown.watch.state, ops.join(" ")).toMatchObject({ reaction: undefined, pending: 0 });
      expect(shown.watch.state.fireCount).toBe(fires.length);
    }
    await bench.end();
  }
});
