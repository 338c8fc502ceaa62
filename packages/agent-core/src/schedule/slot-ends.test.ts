import * as v from "valibot";
import { afterAll, afterEach, expect, test, vi } from "vitest";
import { coreBench, STANDARD, textInput } from "../core-bench.ts";
import { defineFeature } from "../feature/index.ts";
import { manualClock } from "../testing/manual-clock.ts";
import { scriptedModel } from "../testing/scripted-model.ts";
import { type RunElsewhere, schedule } from "./index.ts";
import { keyOf, ownKeyOf } from "./run-key.ts";

const bench = coreBench();
afterEach(() => bench.end());
afterAll(() => bench.remove());

const MINUTE = 60_000;
const DAY = 86_400_000;
interface Scene {
  readonly store?: string;
  readonly clock?: ReturnType<typeof manualClock>;
  readonly elsewhere?: RunElsewhere;
  /** What checks before slots come to. */
  readonly check?: () => Promise<never>;
  readonly isOn?: () => boolean;
}

async function started({ store = ":memory:", clock = manualClock(), elsewhere, check, isOn = () => true }: Scene = {}) {
  const model = scriptedModel(() => "ok");
  const checked = defineFeature({
    name: "verification",
    open: () => ({ prepare: async () => ({}) as never, check: check ?? (async () => ({}) as never) }),
  });
  const core = await bench.start({
    ...{ clock, store, model },
    features: [checked, schedule({ overdueMs: 600_000, elsewhere: () => elsewhere }), ...STANDARD],
    settings: ({ name, schema, merge_by }) =>
      v.parse(schema, name === "middleware" ? { scheduler: isOn() } : merge_by === undefined ? {} : []),
  });
  const { schedules, opened } = core.features.schedule;
  const rest = async (): Promise<void> => {
    for (let i = 0; i < 3; i++) {
      await opened.idle();
      const open = await core.journal.openTaskIds();
      await Promise.all(open.map(async (id) => (await core.tasks.get(id))?.settled()));
    }
  };
  const pass = async (ms: number): Promise<void> => {
    await clock.advance(ms);
    await rest();
  };
  const ledger = async (id: string) =>
    ((await schedules.runs(id, { limit: 100 })) ?? []).map(({ slot, attempt, state, missed = 1 }) => [
      new Date(slot).toISOString().slice(5, 16),
      attempt,
      state,
      missed,
    ]);
  return { core, clock, schedules, ledger, pass, model };
}

test("a slot whose turn cannot begin is an attempt that failed: counted, reported, and made again (G5)", async () => {
  const { core, schedules, ledger, pass } = await started();
  const events = core.bus.follow(undefined, new AbortController().signal);
  const hourly = { prompt: "look", schedule: "0 * * * *", createdBy: "operator" } as const;
  await schedules.create({ ...hourly, id: "again" });
  await schedules.create({ ...hourly, id: "never", retries: 0, prompt: "look once" });
  // The keys of their first runs stand for something else.
  for (const id of ["again", "never"]) {
    const key = ownKeyOf(id, { slot: Date.UTC(2026, 0, 1, 1), attempt: 1 });
    const taken = { class: "operator", context: "other", origin: "chat", key: { key, digest: "another" } } as const;
    await (await core.service.start({ ...taken, input: textInput("hello") })).settled();
  }
  await pass(60 * MINUTE);
  expect(await ledger("never")).toEqual([["01-01T01:00", 1, "failed", 1]]);
  expect(schedules.get("never")?.job.failures).toBe(1);
  const published = await events.next();
  const finished = (published.done === true ? [] : published.value)
    .map(({ text }) => JSON.parse(text) as { topic: string; data: { job_id: string; state: string } })
    .filter(({ topic }) => topic === "scheduler.finished");
  expect(finished.map(({ data }) => `${data.job_id} ${data.state}`).toSorted()).toEqual([
    "again failed",
    "never failed",
  ]);
  await pass(MINUTE);
  expect(await ledger("again")).toEqual([
    ["01-01T01:00", 2, "completed", 1],
    ["01-01T01:00", 1, "failed", 1],
  ]);
  expect(schedules.get("again")?.job.failures).toBe(0);
  await pass(59 * MINUTE);
  expect(await ledger("never")).toEqual([
    ["01-01T02:00", 1, "completed", 1],
    ["01-01T01:00", 1, "failed", 1],
  ]);
  expect(schedules.get("never")?.job.failures).toBe(0);
});

test("a datetime that is over goes a day later, also where it was edited since; one that was given another time stays", async () => {
  const { schedules, clock, pass } = await started();
  const once = { schedule: "2026-01-01T00:01Z", createdBy: "operator" } as const;
  await schedules.create({ ...once, id: "edited", prompt: "a" });
  await schedules.create({ ...once, id: "moved", prompt: "b" });
  await pass(MINUTE);
  await schedules.update("edited", { prompt: "in other words" });
  await schedules.update("moved", { schedule: "2026-03-01T00:00Z" });
  await pass(2 * DAY);
  await schedules.sweep(clock.now());
  expect(["edited", "moved"].map((id) => schedules.get(id)?.job.id)).toEqual([undefined, "moved"]);
});

test("with another table of time zones a job's next slot is found anew: none that came before it was made or changed, and none twice", async () => {
  const store = bench.newStore();
  const clock = manualClock(Date.UTC(2026, 0, 1, 0, 30));
  const first = await started({ store, clock });
  const job = { schedule: "0 * * * *", createdBy: "operator" } as const;
  await first.schedules.create({ ...job, id: "ran", prompt: "a" });
  await first.schedules.create({ ...job, id: "changed", prompt: "b" });
  for (let i = 0; i < 4; i++) await first.pass(60 * MINUTE);
  // At 04:30: 03:00 of this day and 04:15 have passed.
  await first.schedules.create({ ...job, id: "new", prompt: "c", schedule: "0 3 * * *" });
  await first.schedules.update("changed", { schedule: "15 * * * *" });
  await bench.crash(first.core);
  const other = await started({ store, clock });
  const at = Date.UTC(2026, 0, 1, 9);
  // As an older table would have left them; one timer is lost besides.
  await other.core.db.commit({
    label: "test",
    statements: [
      { sql: "UPDATE schedule_job SET tz_version = '2020a'", args: [] },
      {
        sql: "UPDATE timer SET due_at = ?, body = ? WHERE kind = 'schedule'",
        args: [at, JSON.stringify({ slot: at })],
      },
      { sql: "DELETE FROM timer WHERE id = 'schedule:new'", args: [] },
    ],
  });
  await bench.crash(other.core);
  const { schedules, ledger, pass } = await started({ store, clock });
  const next = (id: string) => new Date(schedules.get(id)!.nextFire!).toISOString().slice(5, 16);
  expect(["new", "ran", "changed"].map(next)).toEqual(["01-02T03:00", "01-01T05:00", "01-01T05:15"]);
  await pass(40 * MINUTE);
  expect((await ledger("ran")).map(([at]) => at)).toEqual([5, 4, 3, 2, 1].map((hour) => `01-01T0${hour}:00`));
});

test("a slot that comes while its job is being stored is a slot of the job (CR1)", async () => {
  const minute = Date.UTC(2026, 0, 1, 0, 1);
  const clock = manualClock(minute - 10);
  const { schedules, ledger, pass } = await started({ clock });
  vi.spyOn(clock, "now")
    .mockReturnValueOnce(minute - 10)
    .mockReturnValue(minute + 5);
  const { job, nextFire } = await schedules.create({
    ...{ id: "look", prompt: "look", schedule: "* * * * *", createdBy: "operator" },
  });
  expect([job.createdAt, nextFire]).toEqual([minute - 10, minute]);
  vi.restoreAllMocks();
  await pass(20);
  expect(await ledger("look")).toEqual([["01-01T00:01", 1, "completed", 1]]);
});

test("a slot runs here also where another service has its slot of this name run here, under that key (G2)", async () => {
  const { core, schedules, ledger, pass } = await started();
  await schedules.create({ id: "look", prompt: "look", schedule: "0 * * * *", createdBy: "operator" });
  const key = keyOf("look", { slot: Date.UTC(2026, 0, 1, 1), attempt: 1 });
  const theirs = {
    class: "operator",
    context: "schedule:look",
    origin: "a2a",
    key: { key, digest: "theirs" },
  } as const;
  await (await core.service.start({ ...theirs, input: textInput("look at theirs") })).settled();
  await pass(60 * MINUTE);
  expect(await ledger("look")).toEqual([["01-01T01:00", 1, "completed", 1]]);
});

test("a run that another service began is not made again, for it may have had effects; one that it refused is (G5)", async () => {
  const keys: string[] = [];
  const outcomes = [
    { state: "failed", reason: "the other service refused it" },
    { state: "failed", reason: "it failed there", task: "there-2", mayHaveActed: true },
  ] as const;
  const elsewhere: RunElsewhere = async ({ key }) => outcomes[keys.push(key) - 1]!;
  const { schedules, ledger, pass } = await started({ elsewhere });
  await schedules.create({ id: "far", prompt: "look", schedule: "0 * * * *", createdBy: "operator" });
  await pass(60 * MINUTE);
  await expect.poll(() => ledger("far")).toHaveLength(2);
  for (let i = 0; i < 10; i++) await pass(4 * MINUTE);
  expect(await ledger("far")).toEqual([
    ["01-01T01:00", 2, "failed", 1],
    ["01-01T01:00", 1, "failed", 1],
  ]);
  expect(keys).toEqual([1, 2].map((attempt) => `schedule:far:2026-01-01T01:00:00.000Z:${attempt}`));
});

test("a slot is sent elsewhere with the same words under its key after a restart, whatever its job says by then, and says again that they are from outside (G2, G29)", async () => {
  const store = bench.newStore();
  const clock = manualClock();
  const sent: Parameters<RunElsewhere>[0][] = [];
  let answers = false;
  const elsewhere: RunElsewhere = async (run, signal) => {
    sent.push(run);
    if (answers) return { state: "completed", reason: undefined, task: "there-1" };
    return new Promise((_, reject) => {
      signal.addEventListener("abort", () => reject(new Error("stopped")));
    });
  };
  const first = await started({ store, clock, elsewhere });
  const outside = { createdBy: "agent", outside: true };
  await first.schedules.create({ id: "far", prompt: "look", schedule: "0 * * * *", ...outside });
  await bench.crash(first.core);
  // It comes while nothing runs, so its message says that it is late.
  await clock.advance(90 * MINUTE);
  const second = await started({ store, clock, elsewhere });
  await clock.advance(6_000);
  await expect.poll(() => sent.length).toBe(1);
  expect(sent[0]!.text).toContain("min late");
  await second.schedules.update("far", { prompt: "look elsewhere" });
  await bench.crash(second.core);
  answers = true;
  const third = await started({ store, clock, elsewhere });
  await expect.poll(() => sent.length).toBe(2);
  expect(sent[1]).toEqual(sent[0]);
  expect(sent[1]?.outside).toBe(true);
  await expect.poll(() => third.ledger("far")).toEqual([["01-01T01:00", 1, "completed", 1]]);
  const [row] = await third.core.db.read({ sql: "SELECT notes FROM schedule_run", args: [] });
  expect(row?.[0]).toBeNull();
});

test("a slot that could not begin at once still says that it was not checked, when it begins (G8)", async () => {
  const clock = manualClock();
  const { core, schedules, pass, model } = await started({
    clock,
    check: () => Promise.reject(new Error("no network")),
  });
  const onlyIf = { check: "core:url", check_args: { url: "https://example.com" } };
  await schedules.create({ id: "look", prompt: "look", schedule: "0 * * * *", createdBy: "operator", onlyIf });
  const start = core.service.start.bind(core.service);
  let fails = 1;
  core.service.start = (task) => (fails-- > 0 ? Promise.reject(new Error("not now")) : start(task));
  await pass(60 * MINUTE);
  const asked = JSON.stringify(model.calls[0]?.request.messages);
  expect(asked).toContain("The check before it could not be made: no network");
});

test("a slot that is to be tried again is not while schedules are off, also after a restart (G10)", async () => {
  const store = bench.newStore();
  const clock = manualClock();
  const before = await started({ store, clock });
  await before.schedules.create({ id: "again", prompt: "look", schedule: "0 * * * *", createdBy: "operator" });
  // The key of its first run stands for something else.
  const key = ownKeyOf("again", { slot: Date.UTC(2026, 0, 1, 1), attempt: 1 });
  const taken = { class: "operator", context: "other", origin: "chat", key: { key, digest: "another" } } as const;
  await (await before.core.service.start({ ...taken, input: textInput("hello") })).settled();
  await before.pass(60 * MINUTE);
  await bench.crash(before.core);
  const after = await started({ store, clock, isOn: () => false });
  await after.pass(MINUTE);
  expect(await after.ledger("again")).toEqual([
    ["01-01T01:00", 2, "skipped", 1],
    ["01-01T01:00", 1, "failed", 1],
  ]);
  const [last] = (await after.schedules.runs("again", { limit: 1 })) ?? [];
  expect([last?.reason, after.model.calls.length]).toEqual(["off", 0]);
});
