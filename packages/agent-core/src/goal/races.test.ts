/** Goals that are cleared, replaced, rearmed, extended and resumed in the moment they are driven and checked (TR1, GO1, GO2). */
import fc from "fast-check";
import { afterAll, afterEach, expect, test } from "vitest";
import { coreBench } from "../core-bench.ts";
import { isTerminalState } from "../event/index.ts";
import { goalScene } from "../goal-bench.ts";
import type { Goal } from "./index.ts";

const bench = coreBench();
afterEach(() => bench.end());
afterAll(() => bench.remove());

const OPS = [
  ...["set", "clear", "rearm", "extend", "resume", "say", "move", "cancel", "plan", "abandon", "forget"],
  ...["off", "on", "hold", "hold", "release", "turns", "turns", "turns", "turns", "await"],
] as const;
type Op = (typeof OPS)[number];
/** What is refused where the goal is gone, is active, has ended, or goals are off in that moment. */
const REFUSALS = ["off", "no_goal", "not_active", "invalid", "not_cancelable", "too_high"];

/** What is under way goes on, as far as it does without waiting. */
async function turns(): Promise<void> {
  for (let i = 0; i < 20; i++) await new Promise((resolve) => setImmediate(resolve));
}

async function play(ops: readonly Op[]) {
  const section = { max_iterations: 4 };
  const scene = await goalScene(bench, { settings: section });
  const { core, goals, found, set, say, hold } = scene;
  let release = (): void => {};
  const rest = async (): Promise<void> => {
    for (let quiet = 0; quiet < 2; quiet++) {
      await core.features.goal.drives.idle();
      const open = await core.journal.openTaskIds();
      if (open.length > 0) quiet = -1;
      await Promise.all(open.map(async (id) => (await core.tasks.get(id))?.settled()));
    }
  };
  const act: { readonly [op in Op]: () => unknown } = {
    set: () => set(),
    clear: () => goals.clear("s"),
    rearm: () => goals.rearm("s", {}),
    extend: () => goals.rearm("s", { add: 1 }),
    resume: () => goals.resume("s"),
    say: () => say("Hello."),
    move: () => (found.met = !found.met),
    async cancel() {
      const drive = goals.activeIn("s")?.state.drive;
      if (drive !== undefined) await core.tasks.cancel(drive);
    },
    plan: () => goals.plan("s", `step ${ops.length}`, { outside: false }),
    abandon: () => goals.abandon("s", "It cannot be done."),
    forget: () => goals.clear("s"),
    off: () => ((scene.section as { enabled?: boolean }).enabled = false),
    on: () => ((scene.section as { enabled?: boolean }).enabled = true),
    hold() {
      release();
      release = hold();
    },
    release: () => release(),
    turns,
    async await() {
      release();
      await rest();
    },
  };
  await set();
  const under: Promise<unknown>[] = [];
  for (const op of ops) {
    const work = Promise.resolve(act[op]()).catch((error: Error & { readonly code?: string }) => {
      expect(REFUSALS, error.message).toContain(error.code);
    });
    if (op === "await" || op === "turns") await work;
    else under.push(work);
  }
  release();
  await Promise.all(under);
  (scene.section as { enabled?: boolean }).enabled = true;
  await rest();
  return scene;
}

test("each turn and verdict of a goal is in its timeline once, and nothing of one that is gone works on, in any order", async () => {
  const sequences = fc.sample(fc.array(fc.constantFrom(...OPS), { minLength: 8, maxLength: 24 }), {
    seed: 19,
    numRuns: 60,
  });
  for (const ops of sequences) {
    const sequence = ops.join(" ");
    const { core, goals } = await play(ops);
    const rows = (sql: string) => core.db.read({ sql, args: [] });
    const goal: Goal | undefined = await goals.get("s");
    const begun = await rows(
      `SELECT t.id, t.state, t.origin, json_extract(e.body, '$.provenance.trigger') FROM task t
       JOIN event e ON e.task = t.id AND e.seq = 1 WHERE t.origin IN ('goal', 'auxiliary')`,
    );
    for (const [id, state] of begun)
      expect(isTerminalState(String(state) as never), `${sequence}: ${String(id)}`).toBe(true);
    const events = await rows("SELECT goal, kind, json_extract(body, '$.task') FROM goal_event");
    if (goal === undefined) {
      expect([events, await rows("SELECT id FROM goal")], sequence).toEqual([[], []]);
      await bench.end();
      continue;
    }
    expect(new Set(events.map(([of]) => of)), sequence).toEqual(new Set([goal.id]));
    const named = (kind: string) => events.flatMap(([, of, task]) => (of === kind ? [String(task)] : []));
    const own = begun.filter(([, , , trigger]) => trigger === `goal:${goal.id}`).map(([id]) => String(id));
    const [drives, verdicts] = [named("drive"), named("verdict")];
    expect(new Set(drives).size, sequence).toBe(drives.length);
    expect(new Set(verdicts).size, sequence).toBe(verdicts.length);
    expect(own, sequence).toEqual(expect.arrayContaining([...drives, ...verdicts]));
    const { state, status } = goal;
    expect(
      [state.drive, state.verify].filter((task) => task !== undefined && own.length === 0),
      sequence,
    ).toEqual([]);
    // A goal that is worked on has a task that is open, a pause, or a time: at rest none is open.
    if (status === "active") expect(state.paused ?? state.retryAt, sequence).toBeDefined();
    if (status === "met") expect((await goals.verdicts(goal, 1))[0]?.met, sequence).toBe(true);
    await bench.end();
  }
});
