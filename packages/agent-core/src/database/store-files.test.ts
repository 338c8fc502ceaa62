/** A store whose files are deleted or replaced while it is open (EN9): nothing more is acknowledged, and the host is notified. */
import { execFile } from "node:child_process";
import fs, {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, afterEach, describe, expect, test, vi } from "vitest";
import { manualClock } from "../testing/manual-clock.ts";
import type { DatabaseError } from "./database-error.ts";
import type { Command, Database } from "./database-port.ts";
import { type OpenDatabaseOptions, openDatabase } from "./open-database.ts";
import { findStoreFiles, StoreFiles } from "./store-files.ts";

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

describe("the files of a store whose folder has not changed for a while", () => {
  /** `later`: a step in which the folder's time is noted has passed, and the files were looked at since. */
  function found() {
    const home = join(folder, `home-${files++}`);
    mkdirSync(home);
    const path = join(home, "a.db");
    for (const file of [path, `${path}-wal`, `${path}-shm`]) writeFileSync(file, "");
    let now = 0;
    const store = new StoreFiles(findStoreFiles(path), () => now);
    const later = (): void => {
      // The file system's clock goes in steps of its own: until its next one.
      const probe = join(folder, "probe");
      do writeFileSync(probe, "");
      while (statSync(probe).mtimeMs <= statSync(home).mtimeMs);
      store.checkChanged();
      now += 3_000;
      store.checkChanged();
    };
    return { home, path, store, later };
  }

  test.each([
    ["deleted", (path: string) => rmSync(path)],
    ["replaced", replace],
    ["renamed", (path: string) => renameSync(path, `${path}.old`)],
    ["without their log", (path: string) => rmSync(`${path}-wal`)],
    ["in a folder that was renamed", (path: string) => renameSync(join(path, ".."), join(path, "../../moved"))],
  ])("are lost once %s, at once and after any number of looks", (_, lose) => {
    for (const looks of [0, 1, 2]) {
      const { path, store, later } = found();
      for (let i = 0; i < looks; i++) later();
      lose(path);
      expect(() => store.checkChanged()).toThrow(/while the store was open/);
      rmSync(join(folder, "moved"), { recursive: true, force: true });
    }
  });

  test("are there while other files of the folder come and go", () => {
    const { home, path, store, later } = found();
    later();
    for (let i = 0; i < 3; i++) {
      writeFileSync(join(home, `${i}`), "");
      store.checkChanged();
      later();
    }
    rmSync(path);
    expect(() => store.checkChanged()).toThrow(/a\.db was deleted/);
  });

  test("are found by a look at the folder alone, until it changes", () => {
    const { home, path, store, later } = found();
    later();
    const looked = vi.spyOn(fs, "statSync");
    syncBuiltinESMExports();
    try {
      store.checkChanged();
      expect(looked.mock.calls.map(([of]) => of)).toEqual([home]);
      writeFileSync(join(home, "another"), "");
      store.checkChanged();
      expect(looked.mock.calls.slice(1).map(([of]) => of)).toEqual([home, path, `${path}-wal`, `${path}-shm`]);
    } finally {
      looked.mockRestore();
      syncBuiltinESMExports();
    }
  });

  test("are lost where the file is a link, and what it leads to is deleted in another folder", () => {
    const { path } = found();
    const home = join(folder, `home-${files++}`);
    mkdirSync(home);
    const link = join(home, "a.db");
    symlinkSync(path, link);
    let now = 0;
    const store = new StoreFiles(findStoreFiles(link), () => now);
    for (let i = 0; i < 3; i++) {
      store.checkChanged();
      now += 3_000;
    }
    rmSync(path);
    expect(() => store.checkChanged()).toThrow(/a\.db was deleted/);
  });
});
