/** What a slot commits beside its turn. */
import { afterAll, afterEach, expect, test } from "vitest";
import { coreBench, STANDARD } from "../core-bench.ts";
import { defineFeature } from "../feature/index.ts";
import { manualClock } from "../testing/manual-clock.ts";
import { scriptedModel } from "../testing/scripted-model.ts";
import { schedule } from "./index.ts";

const bench = coreBench();
afterEach(() => bench.end());
afterAll(() => bench.remove());

const MINUTE = 60_000;
const minutely = { prompt: "look", schedule: "* * * * *", createdBy: "operator", retries: 0 } as const;

async function started({
  store = ":memory:",
  clock = manualClock(),
  works = (): boolean => true,
}: {
  readonly store?: string;
  readonly clock?: ReturnType<typeof manualClock>;
  readonly works?: () => boolean;
} = {}) {
  const commits: string[] = [];
  /** How many attempts were open before each commit that ends one by itself. */
  const openBeforeEnd: number[] = [];
  const hit = async (name: string): Promise<void> => {
    if (name === "schedule.end:before") {
      const sql = "SELECT count(*) FROM schedule_run WHERE ended_at IS NULL";
      openBeforeEnd.push(Number((await core.db.read({ sql, args: [] }))[0]?.[0]));
    }
    if (/^(task|turn|schedule|timer)\..*:after$/.test(name)) commits.push(name.slice(0, -":after".length));
  };
  const model = scriptedModel(() => {
    if (!works()) throw new Error("no model");
    return "ok";
  });
  const verification = defineFeature({
    name: "verification",
    open: () => ({ prepare: async () => ({}) as never, check: async () => ({}) as never }),
  });
  const scheduling = schedule({ overdueMs: 600_000, elsewhere: () => undefined });
  const core = await bench.start({
    ...{ clock, store, model, failpoints: { hit } },
    features: [verification, scheduling, ...STANDARD],
  });
  const { schedules, opened } = core.features.schedule;
  const rest = async (): Promise<void> => {
    for (let i = 0; i < 3; i++) {
      await opened.idle();
      const open = await core.journal.openTaskIds();
      await Promise.all(open.map(async (id) => (await core.tasks.get(id))?.settled()));
    }
    await opened.idle();
  };
  /** What is committed until so much time has passed and nothing is under way. */
  const pass = async (ms: number): Promise<readonly string[]> => {
    commits.length = 0;
    await clock.advance(ms);
    await rest();
    return [...commits];
  };
  const states = async (id: string) => ((await schedules.runs(id, { limit: 9 })) ?? []).map(({ state }) => state);
  return { core, clock, schedules, pass, rest, states, openBeforeEnd };
}

test("a slot takes the commits of a plain turn: its attempt begins and ends with the turn", async () => {
  const { schedules, pass, states, clock } = await started();
  await schedules.create({ ...minutely, id: "often" });
  await schedules.create({ ...minutely, id: "once", schedule: new Date(clock.now() + 30_000).toISOString() });
  for (const id of ["once", "often"]) {
    expect([id, await pass(30_000)]).toEqual([id, ["task.accept", "turn.close"]]);
    expect(await states(id)).toEqual(["completed"]);
    const { last, job } = schedules.get(id)!;
    expect([last?.endedAt, job.enabled]).toEqual([clock.now(), id === "often"]);
  }
});

test("the end of a slot from which something follows is one commit with that", async () => {
  let works = false;
  const { schedules, pass, states, openBeforeEnd } = await started({ works: () => works });
  await schedules.create({ ...minutely, id: "job" });
  expect((await pass(MINUTE)).at(-1)).toBe("schedule.end");
  expect(schedules.get("job")?.job.failures).toBe(1);
  works = true;
  // A slot that completed ends the row of those that failed.
  expect(await pass(MINUTE)).toEqual(["task.accept", "turn.close", "schedule.end"]);
  expect([schedules.get("job")?.job.failures, await states("job")]).toEqual([0, ["completed", "failed"]]);
  expect(openBeforeEnd).toEqual([1, 1]);
  expect(await pass(MINUTE)).toEqual(["task.accept", "turn.close"]);
});

test("an attempt whose turn has ended and which has not is ended by the next process", async () => {
  const store = bench.newStore();
  const first = await started({ store });
  await first.schedules.create({ ...minutely, id: "job" });
  await first.pass(MINUTE);
  const sql = "UPDATE schedule_run SET state = 'running', ended_at = NULL";
  await first.core.db.commit({ label: "test", statements: [{ sql, args: [] }] });
  await bench.crash(first.core);
  const second = await started({ store, clock: first.clock });
  await second.rest();
  expect(await second.states("job")).toEqual(["completed"]);
});
