import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, expect, test } from "vitest";
import type { Database, Row } from "./database-port.ts";
import { openDatabase } from "./open-database.ts";

const folder = mkdtempSync(join(tmpdir(), "store-migration-"));
const ground = fileURLToPath(new URL("../../migrations/0000_ground.sql", import.meta.url));
const opened: Database[] = [];
let folders = 0;

afterEach(async () => {
  for (const database of opened.splice(0)) await database.close();
});
afterAll(() => rmSync(folder, { recursive: true }));

/** A folder with the base migrations and the given ones, and a path for a store. */
function scene(files: Record<string, string> = {}): {
  migrations: string;
  path: string;
  add(name: string, sql: string): void;
} {
  const root = join(folder, String(folders++));
  const migrations = join(root, "migrations");
  mkdirSync(migrations, { recursive: true });
  cpSync(ground, join(migrations, "0000_ground.sql"));
  const add = (name: string, sql: string): void => writeFileSync(join(migrations, name), sql);
  for (const [name, sql] of Object.entries(files)) add(name, sql);
  return { migrations, path: join(root, "store.db"), add };
}

async function open({ migrations, path }: { migrations: string; path: string }): Promise<Database> {
  const database = await openDatabase({ url: `file:${path}`, owner: { name: "test" }, migrations });
  opened.push(database);
  return database;
}

async function closeAll(): Promise<void> {
  for (const database of opened.splice(0)) await database.close();
}

const read = (database: Database, sql: string): Promise<readonly Row[]> => database.read({ sql, args: [] });
const backups = (path: string): string[] =>
  readdirSync(dirname(path))
    .filter((name) => name.startsWith(`${basename(path)}.before-`))
    .sort();

test("every kind of store has the same first migration", () => {
  const text = readFileSync(ground, "utf8");
  for (const kind of ["observation", "board", "knowledge", "skills", "memory"])
    expect(readFileSync(join(dirname(ground), kind, "0000_ground.sql"), "utf8")).toBe(text);
});

test("a new store gets every migration in order and no copy", async () => {
  const store = scene({
    "0001_one.sql": "CREATE TABLE a (x); -- a comment; with a semicolon\nINSERT INTO a VALUES (1);",
    "0002_two.sql": "CREATE TRIGGER t AFTER INSERT ON a BEGIN UPDATE a SET x = 9; DELETE FROM a WHERE x = 0; END;",
  });
  const database = await open(store);
  expect(await read(database, "SELECT number, name FROM schema_migration")).toEqual([
    [0, "0000_ground"],
    [1, "0001_one"],
    [2, "0002_two"],
  ]);
  expect(await read(database, "SELECT x FROM a")).toEqual([[1]]);
  expect(backups(store.path)).toEqual([]);
});

test("a new store gets its tables as a whole: where one migration fails, it has none of the others", async () => {
  const store = scene({ "0001_one.sql": "CREATE TABLE a (x);", "0002_bad.sql": "INSERT INTO nowhere VALUES (1);" });
  await expect(open(store)).rejects.toThrow("nowhere");
  rmSync(join(store.migrations, "0001_one.sql"));
  store.add("0002_bad.sql", "CREATE TABLE b (x);");
  const database = await open(store);
  expect(await read(database, "SELECT name FROM sqlite_master WHERE name IN ('a', 'b')")).toEqual([["b"]]);
});

test("an existing store is copied before it is changed, and the newest two copies stay", async () => {
  const store = scene();
  await open(store);
  for (const number of [1, 2, 3]) {
    await closeAll();
    store.add(`000${number}_more.sql`, `CREATE TABLE more${number} (x);`);
    await open(store);
  }
  expect(backups(store.path)).toEqual(["store.db.before-2.bak", "store.db.before-3.bak"]);
  await closeAll();
  const copy = await openDatabase({
    url: `file:${store.path}.before-3.bak`,
    owner: { name: "copy" },
    migrations: store.migrations,
  });
  opened.push(copy);
  expect(await read(copy, "SELECT count(*) FROM schema_migration")).toEqual([[4]]);
});

test("a migration that fails leaves the store as it was, and free", async () => {
  const store = scene({ "0001_one.sql": "CREATE TABLE a (x);" });
  await open(store);
  await closeAll();
  store.add("0002_bad.sql", "CREATE TABLE b (x); INSERT INTO nowhere VALUES (1);");
  await expect(open(store)).rejects.toThrow("nowhere");
  rmSync(join(store.migrations, "0002_bad.sql"));
  const database = await open(store);
  expect(await read(database, "SELECT name FROM sqlite_master WHERE name IN ('a', 'b')")).toEqual([["a"]]);
});

test("a store that is newer than the code, or whose history was rewritten, is refused unchanged", async () => {
  const store = scene({ "0001_one.sql": "CREATE TABLE a (x);", "0002_two.sql": "CREATE TABLE b (x);" });
  await open(store);
  await closeAll();
  rmSync(join(store.migrations, "0002_two.sql"));
  await expect(open(store)).rejects.toMatchObject({
    code: "unwritable",
    message: expect.stringContaining(`${store.path}: the store was written by a newer version`),
  });
  store.add("0002_two.sql", "CREATE TABLE b (y);");
  await expect(open(store)).rejects.toMatchObject({
    code: "unwritable",
    message: expect.stringContaining("0002_two was changed"),
  });
  // Line ends are no change.
  store.add("0002_two.sql", "CREATE TABLE b (x);");
  store.add("0001_one.sql", "CREATE TABLE a (x);");
  await open(store);
});

test("a folder that is no list of migrations is refused", async () => {
  await expect(open(scene({ "first.sql": "" }))).rejects.toThrow("not named NNNN_name.sql");
  await expect(open(scene({ "0001_a.sql": "", "0001_b.sql": "" }))).rejects.toThrow("two migrations are numbered 1");
});

test("the shipped migrations make a store", async () => {
  const database = await openDatabase({ url: ":memory:", owner: { name: "test" } });
  opened.push(database);
  const [row] = await read(database, "SELECT max(number), count(*) - 1 FROM schema_migration");
  expect(row?.[0]).toBe(row?.[1]);
});
