import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { Worker } from "node:worker_threads";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import type { Command, Database, Statement, Value } from "./database-port.ts";
import { type OpenDatabaseOptions, openDatabase } from "./open-database.ts";
import { createStoreThreads } from "./store-host.ts";

const folder = mkdtempSync(join(tmpdir(), "store-"));
const opened: Database[] = [];
let files = 0;

const newPath = (): string => join(folder, `store-${files++}.db`);

async function open(url: string, more: Partial<OpenDatabaseOptions> = {}): Promise<Database> {
  const database = await openDatabase({ url, owner: { name: "test" }, ...more });
  opened.push(database);
  return database;
}

afterEach(async () => {
  for (const database of opened.splice(0)) await database.close();
});
afterAll(() => rmSync(folder, { recursive: true }));

const statement = (sql: string, ...args: Value[]): Statement => ({ sql, args });
const command = (...statements: Statement[]): Command => ({ label: "test", statements });
const insert = (id: number, text: string): Statement =>
  statement("INSERT INTO item (id, body) VALUES (?, ?)", id, text);
const TABLE = command(statement("CREATE TABLE item (id INTEGER PRIMARY KEY, body TEXT UNIQUE, n)"));
/** Threads are numbered as they start. */
async function newThreadNumber(): Promise<number> {
  const worker = new Worker("", { eval: true });
  const { threadId } = worker;
  await worker.terminate();
  return threadId;
}
const ids = async (database: Database): Promise<Value[]> =>
  (await database.read(statement("SELECT id FROM item ORDER BY id"))).map((row) => row[0]!);

describe.each(["file", "memory"])("a store in %s", (kind) => {
  const start = async (): Promise<Database> => {
    const database = await open(kind === "file" ? `file:${newPath()}` : ":memory:");
    await database.commit(TABLE);
    return database;
  };

  test("a command whose statement fails leaves nothing behind, its neighbours commit (DB1, DB4)", async () => {
    const database = await start();
    const results = await Promise.allSettled([
      database.commit(command(insert(1, "a"))),
      database.commit(command(insert(2, "b"), insert(1, "again"))),
      database.commit(command(insert(3, "c"))),
      database.commit(command(insert(4, "a"))),
      database.commit(command(insert(5, "e"))),
    ]);
    expect(results.map((result) => (result.status === "rejected" ? result.reason.code : "ok"))).toEqual([
      "ok",
      "constraint",
      "ok",
      "constraint",
      "ok",
    ]);
    expect(await ids(database)).toEqual([1, 3, 5]);
  });

  test("a failed expectation skips its command alone, and one of two rows undoes it (DB4)", async () => {
    const database = await start();
    await database.commit(command(insert(1, "a"), insert(2, "b")));
    const set = (where: string): Statement => statement(`UPDATE item SET n = 7 WHERE ${where}`);
    const results = await Promise.allSettled([
      database.commit({ ...command(insert(10, "x")), expect: set("id = 1") }),
      database.commit({ ...command(insert(11, "y")), expect: set("id = 99") }),
      database.commit({ ...command(insert(12, "z")), expect: set("id < 3") }),
      database.commit({ label: "only", statements: [], expect: set("id = 2") }),
    ]);
    expect(results.map((result) => (result.status === "rejected" ? result.reason.code : "ok"))).toEqual([
      "ok",
      "expectation_failed",
      "expectation_failed",
      "ok",
    ]);
    expect(await ids(database)).toEqual([1, 2, 10]);
    expect(await database.read(statement("SELECT n FROM item WHERE id < 3"))).toEqual([[7], [7]]);
  });

  test("commands take effect in the order they were submitted (DB2) and are seen once resolved (DB3, DB6)", async () => {
    const database = await start();
    await database.commit(command(insert(1, "")));
    const append = statement("UPDATE item SET body = body || ? WHERE id = 1", "");
    const letters = Array.from({ length: 500 }, (_, i) => String.fromCharCode(97 + (i % 26)));
    await Promise.all(letters.map((letter) => database.commit(command({ sql: append.sql, args: [letter] }))));
    expect(await database.read(statement("SELECT body FROM item"))).toEqual([[letters.join("")]]);
  });

  test("values come back as they went in, whole numbers as integers whatever the column's type", async () => {
    const database = await start();
    const values: Value[] = ["", "ä🜚", 0, 5, -7, 1.5, 9007199254740991, 9007199254740993n, -(2n ** 63n), null];
    for (const [id, value] of values.entries()) {
      await database.commit(command(statement("INSERT INTO item (id, n) VALUES (?, ?)", id, value)));
    }
    await database.commit(
      command(statement("INSERT INTO item (id, n) VALUES (?, ?)", 50, new Uint8Array([0, 1, 255]))),
    );
    const rows = await database.read(statement("SELECT n FROM item WHERE id < 50 ORDER BY id"));
    expect(rows.map((row) => row[0])).toEqual(values);
    const [blob] = await database.read(statement("SELECT n FROM item WHERE id = 50"));
    expect(Buffer.from(blob![0] as Uint8Array)).toEqual(Buffer.from([0, 1, 255]));
    expect(await database.read(statement("SELECT typeof(?), typeof(?), ? || ''", 5, 1.5, 5))).toEqual([
      ["integer", "real", "5"],
    ]);
  });

  test("a wrong statement or argument is refused at once and nothing else notices", async () => {
    const database = await start();
    const wrong: Command[] = [
      command(statement("INSERT INTO item (id) VALUES (?)", true as unknown as Value)),
      command(insert(1, "a"), statement("INSERT INTO item (id) VALUES (?)")),
      command(statement("SELECT 1")),
      command(statement("COMMIT")),
      command(statement("INSERT INTO item (id) VALUES (1) RETURNING id")),
      command(statement("INSERT INTO nowhere VALUES (1)")),
    ];
    const results = await Promise.allSettled([
      ...wrong.map((it) => database.commit(it)),
      database.commit(command(insert(9, "ok"))),
    ]);
    expect(results.map((result) => (result.status === "rejected" ? result.reason.code : "ok"))).toEqual([
      ...wrong.map(() => "misuse"),
      "ok",
    ]);
    expect(await ids(database)).toEqual([9]);
    await expect(database.read(statement("DELETE FROM item"))).rejects.toMatchObject({ code: "misuse" });
    await expect(database.read(statement("SELECT * FROM nowhere"))).rejects.toMatchObject({ code: "misuse" });
    await expect(database.read(statement("WITH x AS (SELECT 1) SELECT ?, ?", 1))).rejects.toMatchObject({
      code: "misuse",
    });
    expect(await ids(database)).toEqual([9]);
  });

  test("generated statement texts are removed again and stay correct", async () => {
    const database = await start();
    const made = (i: number): Statement => statement(`INSERT INTO item (id, body) VALUES (?, 'made ${i}')`, i);
    for (let round = 0; round < 3; round += 1) {
      await Promise.all(Array.from({ length: 700 }, (_, i) => database.commit(command(made(round * 1000 + i)))));
    }
    expect(await database.read(statement("SELECT count(*), count(DISTINCT body) FROM item"))).toEqual([[2100, 2100]]);
    const rows = await Promise.all(
      [5, 2005, 1300].map((id) => database.read(statement(`SELECT body FROM item WHERE id = ${id}`))),
    );
    expect(rows).toEqual([[["made 5"]], [["made 2005"]], [["made 1300"]]]);
  });

  test("closing lets what was accepted finish and refuses what comes after", async () => {
    const database = await start();
    const commits = Promise.all(Array.from({ length: 600 }, (_, i) => database.commit(command(insert(i, `b${i}`)))));
    const read = database.read(statement("SELECT 1"));
    const closing = database.close();
    await expect(database.commit(command(insert(9999, "late")))).rejects.toMatchObject({ code: "closed" });
    await expect(database.read(statement("SELECT 1"))).rejects.toMatchObject({ code: "closed" });
    await commits;
    expect(await read).toEqual([[1]]);
    await closing;
    await database.close();
  });
});

test("a file keeps what was committed, is the owner's alone, and leaves no log behind [R10-13.2-7]", async () => {
  const path = newPath();
  const first = await open(`file:${path}`);
  expect(first).toMatchObject({ durable: true, description: path });
  await first.commit(TABLE);
  await first.commit(command(insert(1, "kept")));
  await first.close();
  expect(existsSync(`${path}-wal`) ? statSync(`${path}-wal`).size : 0).toBe(0);
  expect(statSync(path).mode & 0o077).toBe(0);
  const again = await open(`file://${path}`);
  expect(await ids(again)).toEqual([1]);
  expect(await again.read(statement("PRAGMA journal_mode"))).toEqual([["wal"]]);
});

test("memory reports that it is not durable", async () => {
  expect(await open(":memory:")).toMatchObject({ durable: false, description: "memory" });
});

test("a result beyond the bounds is an error, and holds nothing back afterwards", async () => {
  const database = await open(":memory:");
  const many = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT ?) SELECT i FROM n";
  expect(await database.read(statement(many, 50_000))).toHaveLength(50_000);
  await expect(database.read(statement(many, 50_001))).rejects.toMatchObject({
    code: "misuse",
    message: expect.stringContaining("pages"),
  });
  await database.commit(TABLE);
  expect(await ids(database)).toEqual([]);
});

test("a full disk refuses what does not fit, keeps what was there, and continues when there is room (S7)", async () => {
  const path = newPath();
  const database = await open(`file:${path}`, { maxBytes: 800_000 });
  await database.commit(TABLE);
  const big = "x".repeat(10_000);
  let stored = 0;
  const fill = async (): Promise<void> => {
    for (; stored < 100; stored += 1) await database.commit(command(insert(stored, `${stored} ${big}`)));
  };
  await expect(fill()).rejects.toMatchObject({ code: "full" });
  expect(stored).toBeGreaterThan(10);
  expect(await ids(database)).toHaveLength(stored);
  await database.commit(command(statement("DELETE FROM item WHERE id < 5")));
  await database.commit(command(insert(1, big)));
  expect(await database.read(statement("PRAGMA integrity_check"))).toEqual([["ok"]]);
});

test("a store that cannot be opened fails with a message of one line", async () => {
  await expect(open(`file:${join(folder, "no", "such", "folder.db")}`)).rejects.toMatchObject({
    code: "unwritable",
    message: expect.stringMatching(/cannot open the store .*folder\.db for writing \(ENOENT\)/),
  });
  mkdirSync(join(folder, "a-folder.db"));
  await expect(open(`file:${join(folder, "a-folder.db")}`)).rejects.toMatchObject({ code: "unwritable" });
  const text = newPath();
  writeFileSync(text, "this is no database, however long it may be ".repeat(50));
  await expect(open(`file:${text}`)).rejects.toMatchObject({
    code: "unwritable",
    message: expect.stringContaining(text),
  });
  await expect(open("postgres://somewhere")).rejects.toMatchObject({ code: "misuse" });
});

test("each commit passes its failpoints, before it is durable and before its promise resolves", async () => {
  const seen: string[] = [];
  const path = newPath();
  let crash = false;
  const hit = (name: string): void => {
    seen.push(name);
    if (crash && name.endsWith(":after")) throw new Error("stopped here");
  };
  const database = await open(`file:${path}`, { failpoints: { hit } });
  await database.commit({ ...TABLE, label: "ground" });
  crash = true;
  await expect(database.commit({ ...command(insert(1, "a")), label: "turn.close" })).rejects.toThrow("stopped here");
  expect(seen).toEqual(["ground:before", "ground:after", "turn.close:before", "turn.close:after"]);
  expect(await ids(database)).toEqual([1]);
});

test("threads that stay serve the next file after the last, also where one could not be opened", async () => {
  const threads = createStoreThreads({ stay: true });
  const path = newPath();
  await (await open(`file:${path}`, { threads })).close();
  writeFileSync(`${path}-broken`, "no database at all ".repeat(100));
  const before = await newThreadNumber();
  await expect(open(`file:${path}-broken`, { threads })).rejects.toThrow("-broken");
  const again = await open(`file:${path}`, { threads });
  await again.commit(TABLE);
  await again.close();
  expect(await newThreadNumber()).toBe(before + 1);
});

test("threads that stay do not keep a process alive that has no file open", async () => {
  const index = JSON.stringify(new URL("./index.ts", import.meta.url).href);
  const program = `import { createStoreThreads, openDatabase } from ${index};
    const threads = createStoreThreads({ stay: true });
    const database = await openDatabase({ url: ":memory:", owner: { name: "test" }, threads });
    await database.close();
    console.log("done");`;
  const args = [...process.execArgv, "--input-type=module", "-e", program];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  expect(stdout).toBe("done\n");
});

test("several files share their threads, and each closes alone", async () => {
  const threads = createStoreThreads();
  const tasks = await open(`file:${newPath()}`, { threads });
  const observed = await open(`file:${newPath()}`, { threads, schema: "observation" });
  const move = command(statement("INSERT INTO cursor (reader, at) VALUES ('x', 1)"));
  await Promise.all([tasks.commit(TABLE), observed.commit(move)]);
  await expect(tasks.commit(move)).rejects.toThrow("cursor");
  await tasks.close();
  expect(await observed.read(statement("SELECT at FROM cursor WHERE reader = 'x'"))).toEqual([[1]]);
  await observed.commit(command(statement("UPDATE cursor SET at = 2 WHERE reader = 'x'")));
  expect(await observed.read(statement("SELECT at FROM cursor WHERE reader = 'x'"), "long")).toEqual([[2]]);
});
