import { afterAll, afterEach, expect, test } from "vitest";
import { type BenchOptions, coreBench, countedTool, STANDARD } from "../core-bench.ts";
import { defineFeature } from "../feature/index.ts";
import { manualClock } from "../testing/manual-clock.ts";
import { type ScriptedTurn, scriptedModel } from "../testing/scripted-model.ts";
import { schedule } from "./index.ts";

const bench = coreBench();
afterEach(() => bench.end());
afterAll(() => bench.remove());

const MINUTE = 60_000;
const scheduling = () => schedule({ overdueMs: 600_000, elsewhere: () => undefined });
/** Verifiers whose checks find what `found` says. */
const verifying = (found: () => boolean | Error) =>
  defineFeature({
    name: "verification",
    open: () => ({
      prepare: async (spec: unknown) => ({ spec, project: "", pins: {} }) as never,
      async check() {
        const met = found();
        if (met instanceof Error) throw met;
        return { met, reason: "looked", evidence: "" } as never;
      },
    }),
  });

async function started(
  turns: readonly ScriptedTurn[] | Parameters<typeof scriptedModel>[0],
  {
    clock = manualClock(),
    found = () => true,
    ...more
  }: Partial<BenchOptions> & { clock?: ReturnType<typeof manualClock>; found?: () => boolean | Error } = {},
) {
  const model = scriptedModel(turns);
  const core = await bench.start({ clock, model, ...more, features: [verifying(found), scheduling(), ...STANDARD] });
  const { schedules, opened } = core.features.schedule;
  const ledger = async (id: string) =>
    ((await schedules.runs(id, { limit: 100 })) ?? []).map(({ slot, attempt, state, reason, missed }) => ({
      at: new Date(slot).toISOString().slice(11, 19),
      attempt,
      state,
      ...(reason === undefined ? {} : { reason }),
      ...(missed === undefined ? {} : { missed }),
    }));
  /** Passes time until nothing is under way. */
  const pass = async (ms: number) => {
    await clock.advance(ms);
    for (let i = 0; i < 3; i++) {
      await opened.idle();
      const open = await core.journal.openTaskIds();
      const tasks = (await Promise.all(open.map((id) => core.tasks.get(id)))).filter((task) => task !== undefined);
      await Promise.all(tasks.filter(({ view }) => view.state !== "parked").map((task) => task.settled()));
    }
    await opened.idle();
  };
  return { core, clock, model, schedules, opened, ledger, pass };
}

const everyMinute = { prompt: "look", schedule: "* * * * *", createdBy: "operator" } as const;

test("a slot starts a turn in the commit that writes it, and its end is in the ledger", async () => {
  const { core, schedules, ledger, pass, model } = await started((_, call) => `Answer ${call}.`);
  const { job, nextFire } = await schedules.create({ ...everyMinute, id: "look" });
  expect([job.context, job.fresh, new Date(nextFire!).toISOString()]).toEqual([
    "schedule:look",
    true,
    "2026-01-01T00:01:00.000Z",
  ]);
  await pass(MINUTE);
  expect(await ledger("look")).toEqual([{ at: "00:01:00", attempt: 1, state: "completed" }]);
  await pass(MINUTE);
  expect((await ledger("look")).map(({ at }) => at)).toEqual(["00:02:00", "00:01:00"]);
  const [, second] = model.calls;
  const shown = second?.request.messages ?? [];
  expect(shown).toHaveLength(1);
  expect(JSON.stringify(shown)).toContain("A run of the scheduled job look, for 2026-01-01T00:02:00.000Z");
  expect(JSON.stringify(shown)).toContain("Answer 1.");
  const { catalog } = core.features.sessions;
  expect(await catalog.read("schedule:look")).toMatchObject({ title: "look", titled: false });
  const [run] = (await schedules.runs("look", { limit: 1 }))!;
  expect((await core.tasks.get(run!.task!))?.view).toMatchObject({
    origin: "schedule",
    provenance: { trigger: "scheduler:look" },
  });
});

test("after a stop the latest missed slot is run, and the others are one row (G6)", async () => {
  const store = bench.newStore();
  const clock = manualClock();
  const first = await started(() => "ok", { store, clock });
  await first.schedules.create({ ...everyMinute, id: "look" });
  await bench.crash(first.core);
  await clock.advance(10 * MINUTE);
  const { ledger, pass, model } = await started(() => "ok", { store, clock });
  await pass(4_999);
  expect(await ledger("look")).toEqual([]);
  await pass(1);
  expect(await ledger("look")).toEqual([
    { at: "00:10:00", attempt: 1, state: "completed" },
    { at: "00:01:00", attempt: 1, state: "missed", missed: 9 },
  ]);
  expect(JSON.stringify(model.calls[0]?.request.messages)).not.toContain("late");
});

test("slots outside of the window for catching up are missed, all of them", async () => {
  const store = bench.newStore();
  const clock = manualClock();
  const first = await started(() => "ok", { store, clock });
  await first.schedules.create({
    prompt: "look",
    schedule: "0 0 * * *",
    id: "day",
    createdBy: "operator",
    catchUpS: 3_600,
  });
  const once = { prompt: "once", schedule: "2026-01-01T12:00Z", id: "once", createdBy: "operator", catchUpS: 60 };
  await first.schedules.create(once);
  await bench.crash(first.core);
  await clock.advance(2 * 86_400_000 + 7_200_000);
  const { ledger, pass, schedules } = await started(() => "ok", { store, clock });
  await pass(10_000);
  expect(await ledger("day")).toEqual([{ at: "00:00:00", attempt: 1, state: "missed", missed: 2 }]);
  expect(await ledger("once")).toEqual([{ at: "12:00:00", attempt: 1, state: "missed", missed: 1 }]);
  expect(schedules.get("once")).toMatchObject({ job: { enabled: false }, nextFire: undefined });
  await schedules.sweep(clock.now() + 86_400_001);
  expect(schedules.get("once")).toBeUndefined();
});

test("a slot beside an open run is skipped, waits, or runs, as the job says (G5)", async () => {
  const { tool } = countedTool("ask", { approval: () => ({ title: "Ask?", detail: "" }), run: () => "yes" });
  const { core, schedules, ledger, pass } = await started(
    (request) => (JSON.stringify(request.messages).includes("tool") ? "done" : [{ call: { name: "ask", args: {} } }]),
    { tools: [tool] },
  );
  await schedules.create({ ...everyMinute, id: "skip" });
  await schedules.create({ ...everyMinute, id: "queue", overlap: "queue", prompt: "look too" });
  await pass(MINUTE);
  await pass(MINUTE);
  await pass(MINUTE);
  expect(await ledger("skip")).toEqual([
    { at: "00:03:00", attempt: 1, state: "skipped", reason: "overlap" },
    { at: "00:02:00", attempt: 1, state: "skipped", reason: "overlap" },
    { at: "00:01:00", attempt: 1, state: "running" },
  ]);
  expect(await ledger("queue")).toEqual([
    { at: "00:03:00", attempt: 1, state: "running" },
    { at: "00:02:00", attempt: 1, state: "skipped", reason: "overlap" },
    { at: "00:01:00", attempt: 1, state: "running" },
  ]);
  const [, , first] = (await schedules.runs("queue", { limit: 3 }))!;
  await core.tasks.answer(first!.task!, { answer: "approve" });
  await pass(0);
  const runs = (await schedules.runs("queue", { limit: 3 }))!;
  expect(runs.map(({ state, task }) => [state, task !== undefined])).toEqual([
    ["running", true],
    ["skipped", false],
    ["completed", true],
  ]);
  await expect(schedules.run("skip")).rejects.toMatchObject({ code: "running" });
});

test("a failed turn is tried again after 60 and 240 s, not past the next slot, and five failed slots pause the job (G5)", async () => {
  const { schedules, ledger, pass, model } = await started(() => {
    throw new Error("no model");
  });
  await schedules.create({ prompt: "look", schedule: "0 * * * *", id: "hour", createdBy: "operator" });
  await pass(60 * MINUTE);
  await pass(MINUTE);
  await pass(4 * MINUTE);
  const tried = (await ledger("hour")).map(({ attempt, state }) => [attempt, state]);
  expect(tried).toEqual([
    [3, "failed"],
    [2, "failed"],
    [1, "failed"],
  ]);
  expect(JSON.stringify(model.calls[1]?.request.messages)).toContain("This is attempt 2: the one before failed");
  for (let hour = 0; hour < 4; hour++) for (const ms of [55, 1, 4]) await pass(ms * MINUTE);
  expect(schedules.get("hour")).toMatchObject({
    job: { enabled: false, pauseReason: "failing", failures: 5 },
    nextFire: undefined,
  });
  await schedules.update("hour", { enabled: true });
  expect(schedules.get("hour")).toMatchObject({ job: { enabled: true, pauseReason: undefined, failures: 0 } });
});

test("what came while a job was off is one row, and is not made up for (G6)", async () => {
  const { schedules, ledger, pass } = await started(() => "ok");
  await schedules.create({ ...everyMinute, id: "look" });
  await schedules.update("look", { enabled: false });
  await pass(5 * MINUTE);
  expect(await ledger("look")).toEqual([]);
  await schedules.update("look", { enabled: true });
  expect(await ledger("look")).toEqual([{ at: "00:01:00", attempt: 1, state: "missed", reason: "off", missed: 5 }]);
  await pass(MINUTE);
  expect((await ledger("look"))[0]).toEqual({ at: "00:06:00", attempt: 1, state: "completed" });
});

test("one that is made switched off begins nothing until it is switched on", async () => {
  const { schedules, ledger, pass } = await started(() => "ok");
  const made = await schedules.create({ ...everyMinute, id: "look", enabled: false });
  expect([made.job.enabled, made.nextFire]).toEqual([false, undefined]);
  await pass(2 * MINUTE);
  expect(await ledger("look")).toEqual([]);
  await schedules.update("look", { enabled: true });
  await pass(MINUTE);
  expect((await ledger("look"))[0]).toEqual({ at: "00:03:00", attempt: 1, state: "completed" });
});

test("a check before a slot spares the model where there is nothing to do; one that fails does not keep the slot from running (G8)", async () => {
  const verdicts: (boolean | Error)[] = [false, true, new Error("no route to the host")];
  const { schedules, ledger, pass, model } = await started(() => "ok", { found: () => verdicts.shift()! });
  await schedules.create({
    ...everyMinute,
    id: "look",
    onlyIf: { check: "core:url", check_args: { url: "http://a" } },
  });
  for (let minute = 0; minute < 3; minute++) {
    await pass(MINUTE);
    await pass(0);
  }
  expect(await ledger("look")).toEqual([
    { at: "00:03:00", attempt: 1, state: "completed" },
    { at: "00:02:00", attempt: 1, state: "completed" },
    { at: "00:01:00", attempt: 1, state: "skipped", reason: "nothing to do" },
  ]);
  expect(model.calls).toHaveLength(2);
  expect(JSON.stringify(model.calls[1]?.request.messages)).toContain("could not be made: no route to the host");
  await expect(schedules.update("look", { onlyIf: { check: "a:b", verifier: "c:d" } })).rejects.toThrow(
    "either `check`",
  );
});

test("a run that was asked for before a crash is found again, and is not begun twice", async () => {
  const { schedules, ledger, pass, clock } = await started(() => "ok");
  await schedules.create({ prompt: "look", schedule: "0 0 1 1 *", id: "look", createdBy: "operator" });
  const at = clock.now();
  const first = await schedules.run("look", { at, begun: false });
  await pass(0);
  expect(await schedules.run("look", { at, begun: true })).toMatchObject({ slot: first.slot, task: first.task });
  expect(await ledger("look")).toHaveLength(1);
  await schedules.run("look", { at: at + 2, begun: true });
  expect(await ledger("look")).toHaveLength(2);
});

test("the ledger keeps 200 rows of a job, and a sweep that has nothing to remove commits nothing", async () => {
  const commits: string[] = [];
  const failpoints = { hit: (name: string) => void commits.push(name) };
  const { schedules, core, clock, pass } = await started(() => "ok", { failpoints });
  await schedules.create({ ...everyMinute, id: "look" });
  for (let i = 0; i < 203; i++) {
    await schedules.update("look", { enabled: false });
    await clock.advance(MINUTE);
    await schedules.update("look", { enabled: true });
  }
  await pass(0);
  const slots = async () =>
    (await core.db.read({ sql: "SELECT slot FROM schedule_run ORDER BY slot", args: [] })).flat();
  const before = await slots();
  expect(before).toHaveLength(203);
  await schedules.sweep(clock.now());
  expect(await slots()).toEqual(before.slice(3));
  const sofar = commits.length;
  await schedules.sweep(clock.now());
  expect(commits.slice(sofar)).toEqual([]);
});
