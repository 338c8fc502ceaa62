/** Jobs that are removed, made anew, changed, switched and run by a person in the moment they fire (CR1, TR1). */
import { defineTool } from "@agent-service/plugin-sdk";
import fc from "fast-check";
import * as v from "valibot";
import { afterAll, afterEach, expect, test } from "vitest";
import { call, coreBench, STANDARD } from "../core-bench.ts";
import { defineFeature } from "../feature/index.ts";
import { manualClock } from "../testing/manual-clock.ts";
import { scriptedModel } from "../testing/scripted-model.ts";
import { schedule } from "./index.ts";
import { keyOf } from "./run-key.ts";

const bench = coreBench();
afterEach(() => bench.end());
afterAll(() => bench.remove());

const MINUTE = 60_000;
const OPS = [
  ...["fire", "fire", "fire", "run", "remove", "make", "replace", "reschedule", "pause", "resume"],
  ...["forget", "off", "on", "hold", "hold", "release", "turns", "turns", "turns", "turns", "await"],
] as const;
type Op = (typeof OPS)[number];
/** What is refused where the job is gone, is there, runs, or schedules are off in that moment. */
const REFUSALS = ["unknown_job", "taken", "running", "off"];

/** What is under way goes on, as far as it does without waiting. */
async function turns(): Promise<void> {
  for (let i = 0; i < 20; i++) await new Promise((resolve) => setImmediate(resolve));
}

interface Scene {
  readonly overlap: "skip" | "queue" | "allow";
  readonly ops: readonly Op[];
}

async function play({ overlap, ops }: Scene) {
  let scheduler = true;
  let gate = Promise.withResolvers<void>();
  gate.resolve();
  const pass = defineTool({
    ...{ name: "pass", description: "Waits.", input: v.object({}), effect: "pure", content: "own" },
    async run() {
      await gate.promise;
      return "passed";
    },
  });
  const model = scriptedModel(({ messages }) => (messages.at(-1)?.role === "user" ? [call("pass")] : "Done."));
  const clock = manualClock();
  const verification = defineFeature({ name: "verification", open: () => ({}) as never });
  const core = await bench.start({
    ...{ clock, model, tools: [pass] },
    features: [verification, schedule({ overdueMs: 600_000, elsewhere: () => undefined }), ...STANDARD] as const,
    settings: (section) => v.parse(section.schema, section.name === "middleware" ? { scheduler } : {}),
  });
  const { schedules, opened } = core.features.schedule;
  const job = { id: "j", prompt: "Look.", schedule: "* * * * *", createdBy: "operator", context: "s", overlap };
  const rest = async (): Promise<void> => {
    for (let quiet = 0; quiet < 2; quiet++) {
      await opened.idle();
      const open = await core.journal.openTaskIds();
      if (open.length > 0) quiet = -1;
      await Promise.all(open.map(async (id) => (await core.tasks.get(id))?.settled()));
    }
  };
  const act: { readonly [op in Op]: () => unknown } = {
    fire: () => clock.advance(MINUTE),
    run: () => schedules.run("j"),
    remove: () => schedules.remove("j"),
    make: () => schedules.create(job),
    async replace() {
      await schedules.remove("j");
      await schedules.create(job);
    },
    reschedule: () => schedules.update("j", { schedule: clock.now() % 2 === 0 ? "*/2 * * * *" : "* * * * *" }),
    pause: () => schedules.update("j", { enabled: false }),
    resume: () => schedules.update("j", { enabled: true }),
    forget: () => schedules.forgetSession("s"),
    off: () => (scheduler = false),
    on: () => (scheduler = true),
    hold() {
      gate.resolve();
      gate = Promise.withResolvers();
    },
    release: () => gate.resolve(),
    turns,
    async await() {
      gate.resolve();
      await rest();
    },
  };
  await schedules.create(job);
  const under: Promise<unknown>[] = [];
  for (const op of ops) {
    const work = Promise.resolve(act[op]()).catch((error: Error & { readonly code?: string }) => {
      expect(REFUSALS, error.message).toContain(error.code);
    });
    if (op === "await" || op === "turns") await work;
    else under.push(work);
  }
  gate.resolve();
  await Promise.all(under);
  await rest();
  return { core, schedules };
}

test("no turn is without its row of the ledger, none is begun twice, and what is removed fires no more, in any order", async () => {
  const scenes = fc.sample(
    fc.record({
      overlap: fc.constantFrom("skip", "queue", "allow"),
      ops: fc.array(fc.constantFrom(...OPS), { minLength: 10, maxLength: 30 }),
    }) as fc.Arbitrary<Scene>,
    { seed: 19, numRuns: 80 },
  );
  for (const scene of scenes) {
    const described = JSON.stringify(scene);
    const { core, schedules } = await play(scene);
    const rows = (sql: string) => core.db.read({ sql, args: [] });
    const runs = await rows("SELECT slot, attempt, state, task, started_at, ended_at FROM schedule_run");
    const tasks = await rows(
      "SELECT t.id, e.body FROM task t JOIN event e ON e.task = t.id AND e.seq = 1 WHERE t.origin = 'schedule'",
    );
    expect(
      runs.filter((run) => run[5] === null),
      described,
    ).toEqual([]);
    const begun = runs.filter((run) => run[4] !== null);
    expect(begun.map((run) => String(run[3])).sort(), described).toEqual(tasks.map(([id]) => String(id)).sort());
    for (const [slot, attempt, , task] of begun) {
      const body = tasks.find(([id]) => id === task)?.[1];
      expect(body, described).toContain(`"${keyOf("j", { slot: Number(slot), attempt: Number(attempt) })}"`);
    }
    const shown = schedules.get("j");
    const stored = await rows("SELECT enabled FROM schedule_job");
    const timers = await rows("SELECT due_at FROM timer WHERE kind = 'schedule'");
    expect(stored, described).toEqual(shown === undefined ? [] : [[Number(shown.job.enabled)]]);
    expect(timers, described).toEqual(shown?.nextFire === undefined ? [] : [[shown.nextFire]]);
    if (shown !== undefined) expect(shown.nextFire === undefined, described).toBe(!shown.job.enabled);
    await bench.end();
  }
});
