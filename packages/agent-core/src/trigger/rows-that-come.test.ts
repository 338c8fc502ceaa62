import { expect, test } from "vitest";
import type { TaskView } from "../event/index.ts";
import type { TaskHandle } from "../task/index.ts";
import { manualClock } from "../testing/manual-clock.ts";
import { TriggerDriver } from "./index.ts";

test("a row that comes while the tasks of others are read is seen with its task as it is, not as deleted (TR2)", async () => {
  const read = Promise.withResolvers<void>();
  const viewOf = (id: string) => ({ id, state: "working" }) as unknown as Readonly<TaskView>;
  const gone: string[] = [];
  const asked: string[] = [];
  const driver = new TriggerDriver<string, string>({
    name: "test",
    journal: { onCommit: () => () => {} },
    service: {
      async get(id) {
        asked.push(id);
        await read.promise;
        return { view: viewOf(id) } as TaskHandle;
      },
    },
    clock: manualClock(),
    log: { warn: () => {} },
    tasksOf: (row) => [row],
    due: (rows, look) => {
      gone.push(...rows.filter((row) => look(row) === undefined));
      return { steps: [], at: undefined };
    },
    take: async () => {},
  });
  driver.rows.push("first");
  driver.wake();
  await expect.poll(() => asked).toEqual(["first"]);
  driver.rows.push("second");
  driver.watch(viewOf("second"));
  driver.wake();
  read.resolve();
  await driver.idle();
  expect([gone, asked]).toEqual([[], ["first"]]);
});

test("what wakes it together is one look at all rows", async () => {
  const looks: number[] = [];
  const driver = new TriggerDriver<string, string>({
    ...{ name: "test", clock: manualClock(), log: { warn: () => {} }, take: async () => {} },
    journal: { onCommit: () => () => {} },
    service: { get: async () => undefined },
    tasksOf: () => [],
    due: (rows) => {
      looks.push(rows.length);
      return { steps: [], at: undefined };
    },
  });
  for (const row of ["a", "b", "c"]) {
    driver.rows.push(row);
    driver.wake();
    // As promises of commits that were made together resolve.
    await Promise.resolve();
  }
  await driver.idle();
  expect(looks).toEqual([3]);
});
