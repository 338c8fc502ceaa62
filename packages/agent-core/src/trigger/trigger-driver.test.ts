import { afterAll, afterEach, expect, test } from "vitest";
import { coreBench } from "../core-bench.ts";
import { isTerminalState } from "../event/index.ts";
import { manualClock } from "../testing/manual-clock.ts";
import { scriptedModel } from "../testing/scripted-model.ts";
import { type DueSteps, type TaskLook, TriggerDriver } from "./index.ts";

const bench = coreBench();
afterEach(() => bench.end());
afterAll(() => bench.remove());

interface Chore {
  readonly name: string;
  readonly from: number;
  task: string | undefined;
}
type Step = { readonly kind: "start" | "end"; readonly chore: Chore };

/** Starts each chore at its time and ends it with its task. */
function due(chores: readonly Chore[], look: (task: string) => TaskLook | undefined, now: number): DueSteps<Step> {
  const steps: Step[] = [];
  for (const chore of chores) {
    const task = chore.task === undefined ? undefined : look(chore.task);
    if (chore.task === undefined && chore.from <= now) steps.push({ kind: "start", chore });
    if (chore.task !== undefined && (task === undefined || isTerminalState(task.state)))
      steps.push({ kind: "end", chore });
  }
  const later = chores.filter(({ task, from }) => task === undefined && from > now).map(({ from }) => from);
  return { steps, at: later.length > 0 ? Math.min(...later) : undefined };
}

async function driven(refuse: (step: Step) => Error | undefined = () => undefined) {
  const { service, journal } = await bench.start({ model: scriptedModel(() => "done") });
  const clock = manualClock(0);
  const taken: string[] = [];
  const warnings: string[] = [];
  const changed = { resolve: () => {} };
  const driver = new TriggerDriver<Chore, Step>({
    ...{ name: "chores", journal, service, clock, due },
    log: { warn: (message) => void warnings.push(message) },
    tasksOf: ({ task }) => (task === undefined ? [] : [task]),
    take: async (step) => {
      const refusal = refuse(step);
      if (refusal !== undefined) throw refusal;
      const { kind, chore } = step;
      taken.push(`${kind} ${chore.name}`);
      if (kind === "end") driver.drop([chore]);
      else {
        const input = { messageId: chore.name, parts: [{ kind: "text" as const, text: chore.name }] };
        const { view } = await service.start({ class: "operator", context: chore.name, origin: "embed", input });
        chore.task = view.id;
        driver.watch(view);
      }
      changed.resolve();
    },
  });
  const until = async (met: () => boolean) => {
    while (!met()) {
      const { promise, resolve } = Promise.withResolvers<void>();
      changed.resolve = resolve;
      if (!met()) await promise;
    }
    await driver.idle();
  };
  return { driver, clock, taken, warnings, until };
}

const chore = (name: string, from = 0): Chore => ({ name, from, task: undefined });

test("takes what is due, follows the tasks it started, and looks again at the next time (TR2)", async () => {
  const { driver, clock, taken, until } = await driven();
  driver.rows = [chore("a"), chore("b", 5_000)];
  driver.wake();
  await until(() => taken.length === 2);
  expect(taken).toEqual(["start a", "end a"]);
  expect([driver.rows.map(({ name }) => name), clock.nextAt()]).toEqual([["b"], 5_000]);
  await clock.advance(5_000);
  await until(() => taken.length === 4);
  expect(taken.slice(2)).toEqual(["start b", "end b"]);
  expect([driver.rows, clock.nextAt()]).toEqual([[], undefined]);
});

test("a row whose step fails holds up no other one (TR6)", async () => {
  let isShut = true;
  const { driver, clock, taken, warnings, until } = await driven((step) =>
    isShut && step.kind === "start" && step.chore.name === "a" ? new Error("being deleted") : undefined,
  );
  driver.rows = [chore("a"), chore("b")];
  driver.wake();
  await until(() => taken.includes("end b"));
  expect(taken).toEqual(["start b", "end b"]);
  // Said once, though it was tried at each change.
  expect(warnings).toEqual(["chores: being deleted; trying again"]);
  isShut = false;
  await clock.untilDueIn(1_000);
  await clock.advance(1_000);
  await until(() => taken.length === 4);
  expect(taken.slice(2)).toEqual(["start a", "end a"]);
});

test("a step that failed is tried again after a second; a stopped driver takes none", async () => {
  let refusals = 1;
  const { driver, clock, taken, warnings, until } = await driven(() =>
    refusals-- > 0 ? new Error("full") : undefined,
  );
  driver.rows = [chore("a")];
  driver.wake();
  await driver.idle();
  await clock.untilDueIn(1_000);
  expect([taken, warnings]).toEqual([[], ["chores: full; trying again"]]);
  await clock.advance(1_000);
  await until(() => taken.length === 2);
  await driver.stop();
  driver.rows = [chore("c")];
  driver.wake();
  await driver.idle();
  expect(taken).toEqual(["start a", "end a"]);
});

test("what ended before its row is taken over counts as ended, and so does what was deleted", async () => {
  const { driver, taken, until } = await driven();
  driver.rows = [{ ...chore("gone"), task: "no-such-task" }];
  driver.wake();
  await until(() => taken.length === 1);
  expect(taken).toEqual(["end gone"]);
});
