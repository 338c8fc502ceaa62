/** A store whose files are deleted or replaced while it is open (EN9): nothing more is acknowledged, and the host is notified. */
import { execFile } from "node:child_process";
import { copyFileSync, existsSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, afterEach, expect, test } from "vitest";
import { manualClock } from "../testing/manual-clock.ts";
import type { DatabaseError } from "./database-error.ts";
import type { Command, Database } from "./database-port.ts";
import { type OpenDatabaseOptions, openDatabase } from "./open-database.ts";

const folder = mkdtempSync(join(tmpdir(), "store-files-"));
const opened: Database[] = [];
let files = 0;

afterEach(async () => {
  for (const database of opened.splice(0)) await database.close();
});
afterAll(() => rmSync(folder, { recursive: true }));

const TABLE: Command = { label: "t", statements: [{ sql: "CREATE TABLE n (i BLOB)", args: [] }] };
const INSERT: Command = { label: "t", statements: [{ sql: "INSERT INTO n VALUES (1)", args: [] }] };
const COUNT = { sql: "SELECT count(*) FROM n", args: [] };

/** An open store with a table, and the errors its host was notified of. */
async function open(more: Partial<OpenDatabaseOptions> = {}) {
  const path = join(folder, `store-${files++}.db`);
  const lost: string[] = [];
  const onLeaseLost = ({ code, message }: DatabaseError): void => void lost.push(`${code} ${message}`);
  const database = await openDatabase({ url: `file:${path}`, owner: { name: "test" }, onLeaseLost, ...more });
  opened.push(database);
  await database.commit(TABLE);
  return { path, lost, database };
}

function replace(path: string): void {
  copyFileSync(path, `${path}.copy`);
  renameSync(`${path}.copy`, path);
}

test.each([
  ["the file is deleted", (path: string) => rmSync(path), /\.db was deleted/],
  ["the file is replaced", replace, /\.db was replaced by another file/],
  ["its log is deleted", (path: string) => rmSync(`${path}-wal`), /\.db-wal was deleted/],
  ["the log's index is deleted", (path: string) => rmSync(`${path}-shm`), /\.db-shm was deleted/],
])("no commit is acknowledged once %s, and the host is notified once", async (_, lose, message) => {
  const { path, lost, database } = await open();
  expect(database.state).toBe("ok");
  lose(path);
  const results = await Promise.allSettled([database.commit(INSERT), database.commit(INSERT)]);
  expect(results).toMatchObject([{ reason: { code: "file_lost" } }, { reason: { code: "file_lost" } }]);
  await expect(database.commit(INSERT)).rejects.toMatchObject({ code: "file_lost" });
  expect(lost).toEqual([expect.stringMatching(message)]);
  expect(database.state).toBe("lost");
});

test("a deleted store is noticed without a commit, at the lease's renewal", async () => {
  const clock = manualClock();
  const lost = Promise.withResolvers<DatabaseError>();
  const { path, database } = await open({ clock, leaseMs: 3_000, onLeaseLost: lost.resolve });
  rmSync(path);
  await clock.advance(1_000);
  expect(await lost.promise).toMatchObject({ code: "file_lost" });
  expect(database.state).toBe("lost");
});

test("a reading thread that starts late creates no new store where one was deleted", async () => {
  const { path, database } = await open();
  rmSync(path);
  // The writer still reads what it has open.
  expect(await database.read(COUNT, "long")).toEqual([[0]]);
  expect(existsSync(path)).toBe(false);
});

test("another program may open the store beside the reading thread and close it: the log stays", async () => {
  const { path, database } = await open();
  await database.read(COUNT, "long");
  const look = `
    const { default: Database } = await import(${JSON.stringify(import.meta.resolve("libsql"))});
    const db = new Database(${JSON.stringify(path)});
    db.exec("DELETE FROM n");
    db.close();`;
  await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", look]);
  await database.commit(INSERT);
  expect(await database.read(COUNT)).toEqual([[1]]);
});

test("a store that refuses a commit because it is full reports so until one is accepted, or for a minute", async () => {
  const clock = manualClock();
  const { database } = await open({ clock, leaseMs: 90_000, maxBytes: 1 << 20 });
  const large: Command = {
    label: "t",
    statements: [{ sql: "INSERT INTO n VALUES (zeroblob(2000000))", args: [] }],
  };
  await expect(database.commit(large)).rejects.toMatchObject({ code: "full" });
  expect(database.state).toBe("full");
  await database.commit(INSERT);
  expect(database.state).toBe("ok");
  await expect(database.commit(large)).rejects.toMatchObject({ code: "full" });
  for (let renewals = 0; renewals < 2; renewals++) {
    expect(database.state).toBe("full");
    await clock.untilDueIn(30_000);
    await clock.advance(30_000);
    await database.read(COUNT);
  }
  await clock.untilDueIn(30_000);
  expect(database.state).toBe("ok");
});
