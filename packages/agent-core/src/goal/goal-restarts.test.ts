import { afterAll, afterEach, describe, expect, test } from "vitest";
import { coreBench, holdCommit } from "../core-bench.ts";
import { goalScene } from "../goal-bench.ts";
import { GOAL_LIMITS } from "./goal.ts";

const bench = coreBench();
afterEach(() => bench.end());
afterAll(() => bench.remove());

/** The commits of a goal that is set, driven, checked, driven again and met. */
const MOMENTS = [
  ["task.accept:before", 1],
  ["task.accept:after", 1],
  ["turn.close:before", 1],
  ["turn.close:after", 1],
  ["task.accept:before", 2],
  ["task.accept:after", 2],
  ["turn.close:before", 2],
  ["turn.close:after", 2],
  ["task.accept:before", 3],
  ["task.accept:after", 3],
  ["turn.close:before", 4],
  ["turn.close:after", 4],
  ["task.notice:before", 1],
  ["task.notice:after", 1],
] as const;

/** Where it matters whether the restart ends what ran. */
const MID_WORK = MOMENTS.filter(([name]) => name === "task.accept:after" || name === "turn.close:before");

describe.each([
  ["resume", MOMENTS],
  ["fail", MID_WORK],
] as const)("a kill at each commit, with on_restart %s (TR1, TR3, GO1)", (onRestart, moments) => {
  test.each(moments)("%s of commit %i", async (name, nth) => {
    const store = bench.newStore();
    const held = holdCommit(name, nth);
    const seen = { drives: 0 };
    const play = (text: string) => {
      if (text.includes("iteration 2")) found.met = true;
      seen.drives++;
      return "Done.";
    };
    let found = { met: false };
    const before = await goalScene(bench, { store, failpoints: held.failpoints, play, onRestart });
    found = before.found;
    const set = before.set().then(
      () => true,
      () => false,
    );
    await held.reached;
    await bench.crash(before.core);
    const acknowledged = await Promise.race([set, Promise.resolve(false)]);
    held.fail(new Error("dead"));
    const after = await goalScene(bench, { store, play, onRestart, found: { met: found.met } });
    found = after.found;
    const goal = await after.goals.get("s");
    if (goal === undefined) {
      // It was never acknowledged.
      expect([name, nth, acknowledged]).toEqual(["task.accept:before", 1, false]);
      return;
    }
    await expect.poll(async () => (await after.goal()).status).toBe("met");
    const verdicts = await after.goals.verdicts(await after.goal(), 50);
    expect(verdicts.map(({ met }) => met)).toEqual([false, true]);
    expect((await after.kinds()).filter((kind) => kind === "ended")).toHaveLength(1);
    const tasks = await after.tasks("origin IN ('goal', 'auxiliary')");
    expect(tasks.filter(({ state }) => state !== "completed" && state !== "failed")).toEqual([]);
    // Each verdict has the task that came to it, and none was counted twice.
    expect(new Set(verdicts.map(({ task }) => task)).size).toBe(2);
    expect(tasks.map(({ id }) => id)).toEqual(expect.arrayContaining(verdicts.map(({ task }) => task)));
    const repeated = onRestart === "fail" ? 1 : 0;
    expect(tasks.filter(({ state }) => state === "failed").length).toBeLessThanOrEqual(repeated);
  });
});

test("a turn of a person that ended as the process died is checked after the restart", async () => {
  const store = bench.newStore();
  const held = holdCommit("task.accept:before", 2);
  const before = await goalScene(bench, { store, failpoints: held.failpoints });
  await before.set({}, { kind: "later" });
  await before.say("hello");
  await held.reached;
  await bench.crash(before.core);
  held.fail(new Error("dead"));
  const after = await goalScene(bench, { store, found: { met: true } });
  await expect.poll(async () => (await after.goal()).status).toBe("met");
  expect(await after.kinds()).toEqual(["set", "verdict", "ended"]);
});

test("restarts that interrupt a turn three times in a row pause the goal, and the turn after one is told so", async () => {
  const store = bench.newStore();
  const hang = { play: () => [{ hang: true as const }], store, onRestart: "fail" as const };
  let core = await goalScene(bench, hang);
  await core.set();
  for (let restart = 1; restart <= GOAL_LIMITS.attempts; restart++) {
    await core.model.untilCall(1);
    await bench.crash(core.core);
    core = await goalScene(bench, hang);
    if (restart < GOAL_LIMITS.attempts) {
      const { request } = await core.model.untilCall(1);
      expect(JSON.stringify(request.messages.at(-1))).toContain("interrupted by a restart");
    }
  }
  await expect.poll(async () => (await core.goal()).state.paused).toBe("interrupted");
  expect((await core.goal()).state).toMatchObject({ iteration: 0, streak: 0 });
});

test.each([
  ["create_effect", {}],
  // Idempotent by their calls' keys, of which another turn has others.
  ["task_create", { title: "Once" }],
  ["create_watch", { condition: "It holds", check: "mine:look" }],
])("a turn that called %s is not repeated after a restart (G5)", async (name, args) => {
  const store = bench.newStore();
  const hang = {
    store,
    onRestart: "fail" as const,
    play: (_text: string, count: number) => (count === 1 ? [{ call: { name, args } }] : [{ hang: true as const }]),
  };
  const before = await goalScene(bench, { ...hang, effect: true });
  await before.set();
  await before.model.untilCall(2);
  await bench.crash(before.core);
  const after = await goalScene(bench, { ...hang, effect: true });
  await expect.poll(async () => (await after.goal()).state.paused).toBe("interrupted");
  const [paused] = await after.goals.timeline("s", { limit: 1 });
  expect(paused).toMatchObject({ kind: "paused", reason: "interrupted: it had effects" });
  expect(await after.tasks()).toHaveLength(1);
});

test.each([
  ["turn", "task.accept:after", 1],
  ["check", "task.accept:after", 2],
] as const)("a %s that a restart ended is not begun again while goals are off (G10)", async (_what, name, nth) => {
  const store = bench.newStore();
  const held = holdCommit(name, nth);
  const before = await goalScene(bench, { store, failpoints: held.failpoints, onRestart: "fail" });
  const set = before.set().catch(() => undefined);
  await held.reached;
  await bench.crash(before.core);
  held.fail(new Error("dead"));
  await set;
  const settings = { enabled: false };
  const after = await goalScene(bench, { store, settings, onRestart: "fail", found: { met: true } });
  await expect.poll(async () => (await after.goal()).state.paused).toBe("off");
  expect(await after.tasks("origin IN ('goal', 'auxiliary')")).toHaveLength(nth);
  Object.assign(after.section, { enabled: true });
  await after.goals.resume("s");
  await expect.poll(async () => (await after.goal()).status).toBe("met");
});
