import { afterAll, afterEach, expect, test } from "vitest";
import { coreBench, textInput } from "../core-bench.ts";
import { openDatabase } from "../database/index.ts";
import { Journal } from "../journal/index.ts";
import { createRedactor } from "../redaction/index.ts";
import { scriptedModel } from "../testing/scripted-model.ts";
import { listTasks, searchTasks, type TaskCursor } from "./index.ts";
import type { ListPage } from "./search-tasks.ts";

const bench = coreBench();
const redactor = createRedactor({ secrets: () => ["tok-4711-secret"] });
afterEach(() => bench.end());
afterAll(() => bench.remove());

test("a task is found by words of its message and of its answer together", async () => {
  const model = scriptedModel(() => [{ say: "The heron has left the pond." }]);
  const core = await bench.start({ model });
  const task = await core.service.start({
    class: "operator",
    origin: "a2a",
    input: textInput("Where is the bird? tok-4711-secret"),
  });
  await task.settled();
  const found = async (search: string) =>
    (await searchTasks({ ...core, redactor }, (page) => listTasks(core, {}, page), search, { limit: 5 })).cursors.map(
      ({ id }) => id,
    );
  expect(await found("bird heron")).toEqual([task.id]);
  expect(await found("HERÓN pon")).toEqual([task.id]);
  expect(await found("heron fox")).toEqual([]);
  expect(await found("   ")).toEqual([]);
  // Of a secret no part finds anything (S5).
  expect(await found("bird tok-47")).toEqual([]);
});

test("a page looks at 2,000 tasks at most, and the pages together find what is older", async () => {
  const db = await openDatabase({ url: ":memory:", owner: { name: "test" } });
  const journal = new Journal({ db, clock: { now: () => 0 } });
  const many = (from: number, to: number) =>
    `WITH RECURSIVE n (i) AS (SELECT ${from} UNION ALL SELECT i + 1 FROM n WHERE i < ${to})`;
  const asked = (said: string) =>
    `json_object('kind', 'task.accepted', 'input', json_object('parts', json_array(json_object('kind', 'text', 'text', ${said}))))`;
  const text = "iif(i % 2000 = 1, 'a needle', 'hay')";
  await db.commit({
    label: "test",
    statements: [
      {
        sql: `INSERT INTO task ${many(1, 4_500)} SELECT printf('t%05d', i), 'operator', 'c', 'a2a', 'completed', 1, 0, i, '{}', NULL FROM n`,
        args: [],
      },
      {
        sql: `INSERT INTO event ${many(1, 4_500)} SELECT printf('t%05d', i), 1, i, 'task.accepted', ${asked(text)} FROM n`,
        args: [],
      },
    ],
  });
  const list: ListPage = (page) => listTasks({ db, journal }, {}, page);
  const pages: string[][] = [];
  let after: TaskCursor | undefined;
  do {
    const page = await searchTasks({ db, redactor }, list, "needle", { limit: 50, ...(after && { after }) });
    pages.push(page.cursors.map(({ id }) => id));
    after = page.next;
  } while (after !== undefined);
  expect(pages).toEqual([["t04001"], ["t02001"], ["t00001"]]);
  const first = await searchTasks({ db, redactor }, list, "needle", { limit: 1 });
  expect(first).toMatchObject({ cursors: [{ id: "t04001" }], next: { id: expect.any(String) } });
  await db.close();
});
