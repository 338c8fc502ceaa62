import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, afterEach, beforeEach, expect, test } from "vitest";
import { type HranaDouble, type HranaFate, startHranaDouble } from "../../testing/hrana-double.ts";
import { manualClock } from "../../testing/manual-clock.ts";
import type { Command, Database, Row, Statement, Value } from "../database-port.ts";
import { type OpenDatabaseOptions, openDatabase } from "../open-database.ts";

const folder = mkdtempSync(join(tmpdir(), "store-remote-"));
const opened: Database[] = [];
let files = 0;
let path: string;
let server: HranaDouble;

beforeEach(async () => {
  path = join(folder, `${files++}.db`);
  server = await startHranaDouble(path);
});
afterEach(async () => {
  server.intercept(undefined);
  for (const database of opened.splice(0)) await database.close();
  await server.close();
});
afterAll(() => rmSync(folder, { recursive: true }));

/** A clock whose waits are over at once: retries are counted here, not waited for. */
const hasty: OpenDatabaseOptions["clock"] = {
  now: () => Date.now(),
  setTimeout(run, _ms, options) {
    if (options?.background !== true) setImmediate(run);
    return { cancel: () => undefined };
  },
};

async function open(more: Partial<OpenDatabaseOptions> = {}): Promise<Database> {
  const database = await openDatabase({ url: server.url, owner: { name: "test" }, clock: hasty, ...more });
  opened.push(database);
  return database;
}

const statement = (sql: string, ...args: Value[]): Statement => ({ sql, args });
const command = (...statements: Statement[]): Command => ({ label: "test", statements });
const insert = (id: number): Statement => statement("INSERT INTO item (id, n) VALUES (?, ?)", id, `n${id}`);
const ids = async (database: Database): Promise<Value[]> =>
  (await database.read(statement("SELECT id FROM item ORDER BY id"))).map((row: Row) => row[0]!);
const codes = (results: readonly PromiseSettledResult<void>[]): string[] =>
  results.map((it) => (it.status === "rejected" ? it.reason.code : "ok"));

async function withTable(more: Partial<OpenDatabaseOptions> = {}): Promise<Database> {
  const database = await open(more);
  await database.commit(command(statement("CREATE TABLE item (id INTEGER PRIMARY KEY, n)")));
  return database;
}

/** Gives the next batches of commands these fates, one each; everything else is answered. @returns what is left */
function fates(...list: HranaFate[]): HranaFate[] {
  server.intercept(({ sql }) => (sql.includes("BEGIN IMMEDIATE") ? list.shift() : undefined));
  return list;
}

test("a server's store behaves like a file: order, expectations, isolation, values (R11, DB1, DB2, DB4, DB6)", async () => {
  const database = await withTable();
  expect(database).toMatchObject({ durable: true, description: server.url });
  const results = await Promise.allSettled([
    database.commit(command(insert(1), insert(2))),
    database.commit(command(insert(3), insert(1))),
    database.commit({ ...command(insert(4)), expect: statement("UPDATE item SET n = 'x' WHERE id = 2") }),
    database.commit({ ...command(insert(5)), expect: statement("UPDATE item SET n = 'x' WHERE id = 77") }),
    database.commit({ ...command(insert(6)), expect: statement("UPDATE item SET n = 'y' WHERE id < 3") }),
    database.commit(command(insert(7))),
    database.commit(command(statement("INSERT INTO nowhere VALUES (1)"))),
  ]);
  expect(codes(results)).toEqual([
    "ok",
    "constraint",
    "ok",
    "expectation_failed",
    "expectation_failed",
    "ok",
    "misuse",
  ]);
  expect(await ids(database)).toEqual([1, 2, 4, 7]);
  const values: Value[] = ["", "ä🜚", 0, -7, 1.5, 9007199254740993n, null];
  await Promise.all(
    values.map((value, i) => database.commit(command(statement("INSERT INTO item VALUES (?, ?)", 100 + i, value)))),
  );
  await database.commit(command(statement("INSERT INTO item VALUES (?, ?)", 200, new Uint8Array([0, 255]))));
  expect(
    (await database.read(statement("SELECT n FROM item WHERE id BETWEEN 100 AND 199 ORDER BY id"))).map(
      (row) => row[0],
    ),
  ).toEqual(values);
  expect(await database.read(statement("SELECT n, typeof(id) FROM item WHERE id = 200"))).toEqual([
    [new Uint8Array([0, 255]), "integer"],
  ]);
  await expect(database.read(statement("SELECT * FROM nowhere"))).rejects.toMatchObject({ code: "misuse" });
});

test("what arrives together goes out as one batch", async () => {
  const database = await withTable();
  let batches = 0;
  server.intercept(() => {
    batches += 1;
    return undefined;
  });
  await Promise.all(Array.from({ length: 100 }, (_, i) => database.commit(command(insert(i)))));
  expect(batches).toBeLessThanOrEqual(2);
  expect(await ids(database)).toHaveLength(100);
});

test("when the reply to a commit is lost, it is applied exactly once (N2)", async () => {
  const database = await withTable();
  const count = "UPDATE item SET n = n + 1 WHERE id = 1";
  await database.commit(command(statement("INSERT INTO item VALUES (1, 0)")));
  // Applied and then no reply; not applied at all; a reply that is no answer; an overloaded server.
  for (const fate of [
    { reply: false },
    { apply: false, reply: false },
    { reply: "<html>" },
    { apply: false, reply: 503 },
  ]) {
    const left = fates(fate);
    await database.commit(command(statement(count)));
    expect(left).toEqual([]);
  }
  expect(await database.read(statement("SELECT n FROM item"))).toEqual([[4]]);
});

test("a batch that was given up cannot be applied behind the back of later ones (N1)", async () => {
  const database = await withTable();
  let release: () => void = () => undefined;
  const later = new Promise<void>((resolve) => (release = resolve));
  // The first attempt hangs somewhere in the network; the one sent again under the same id is applied.
  fates({ apply: later, reply: false });
  await database.commit(command(insert(1)));
  await database.commit(command(statement("DELETE FROM item WHERE id = 1")));
  release();
  await database.commit(command(insert(2)));
  expect(await ids(database)).toEqual([2]);
});

test("a server that stays away is reported, and commits continue when it is back, with nothing doubled", async () => {
  const database = await withTable();
  server.intercept(() => ({ apply: false, reply: false }));
  await expect(database.commit(command(insert(1)))).rejects.toMatchObject({ code: "unreachable" });
  await expect(database.read(statement("SELECT 1"))).rejects.toMatchObject({ code: "unreachable" });
  // Applied, but every reply, also the one to the question whether it was, is lost.
  server.intercept(() => ({ reply: false }));
  await expect(database.commit(command(insert(2)))).rejects.toMatchObject({ code: "unreachable" });
  server.intercept(undefined);
  await database.commit(command(insert(3)));
  expect(await ids(database)).toEqual([2, 3]);
});

test("under random faults every acknowledged commit is there once and no refused one is", async () => {
  const database = await withTable();
  const fate: fc.Arbitrary<HranaFate> = fc.constantFrom<HranaFate>(
    {},
    {},
    { reply: false },
    { apply: false, reply: false },
    { apply: false, reply: 500 },
    { reply: "{}" },
  );
  let next = 1;
  await fc.assert(
    fc.asyncProperty(fc.array(fate, { maxLength: 12 }), fc.integer({ min: 1, max: 6 }), async (list, size) => {
      server.intercept(() => list.shift());
      const first = next;
      next += size;
      const commits = Array.from({ length: size }, (_, i) => database.commit(command(insert(first + i))));
      const results = codes(await Promise.allSettled(commits));
      server.intercept(undefined);
      const there = await database.read(statement("SELECT id FROM item WHERE id >= ?", first));
      const found = new Set(there.map((row) => row[0]));
      // "unreachable" leaves it open whether it was applied; everything else is decided.
      for (const [i, code] of results.entries())
        if (code !== "unreachable") expect(found.has(first + i)).toBe(code === "ok");
      expect(results.every((code) => code === "ok" || code === "unreachable")).toBe(true);
    }),
    { numRuns: 40 },
  );
});

test("one process owns a server's store: a live lease names its owner, a lost one refuses every commit (R12, EN11)", async () => {
  const clock = { ...hasty, now: () => 1_000_000 };
  const lost: string[] = [];
  const first = await withTable({ clock, owner: { name: "first" }, onLeaseLost: (error) => lost.push(error.code) });
  await expect(open({ clock })).rejects.toMatchObject({ code: "in_use", message: expect.stringContaining("by first") });
  const second = await open({ clock: { ...hasty, now: () => 2_000_000 } });
  await second.commit(command(insert(1)));
  expect(codes(await Promise.allSettled([first.commit(command(insert(2))), first.commit(command(insert(3)))]))).toEqual(
    ["lease_lost", "lease_lost"],
  );
  expect(lost).toEqual(["lease_lost"]);
  expect(await ids(second)).toEqual([1]);
  await second.close();
  await (await open({ clock })).commit(command(insert(4)));
});

test("the lease is taken once even when the reply to taking it is lost, and renewed in time", async () => {
  let losses = 1;
  server.intercept(({ sql }) => {
    const takes = sql.some((text) => text.startsWith("UPDATE lease SET epoch"));
    return takes && losses-- > 0 ? { reply: false } : undefined;
  });
  const clock = manualClock();
  const opening = open({ clock, leaseMs: 3_000 });
  const database = await opening;
  server.intercept(undefined);
  const lease = async (): Promise<Row | undefined> =>
    (await database.read(statement("SELECT epoch, expires_at FROM lease")))[0];
  expect(await lease()).toEqual([1, clock.now() + 3_000]);
  const renewed = new Promise<void>((resolve) => {
    server.intercept(({ sql }) => {
      if (sql.some((text) => text.startsWith("UPDATE lease SET expires_at"))) resolve();
      return undefined;
    });
  });
  await clock.advance(1_000);
  await renewed;
  server.intercept(undefined);
  await clock.untilDueIn(1_000);
  expect(await lease()).toEqual([1, clock.now() + 3_000]);
});

test("the token is sent and shown nowhere; a refused one is no reason to try again", async () => {
  const seen = new Set<string | undefined>();
  server.intercept(({ authorization }) => {
    seen.add(authorization);
    return { apply: false, reply: 401 };
  });
  const failed = open({ authToken: "hush" });
  await expect(failed).rejects.toMatchObject({
    code: "unwritable",
    message: expect.stringContaining("refused the token"),
  });
  await expect(failed).rejects.not.toThrow("hush");
  expect([...seen]).toEqual(["Bearer hush"]);
  const address = new URL(server.url);
  address.protocol = "http:";
  server.intercept(undefined);
  const database = await open({ url: `libsql://${address.host}?tls=0&authToken=hush` });
  expect(database.description).not.toContain("hush");
});

test("a server that is not there ends the opening with one clear error", async () => {
  const url = server.url;
  await server.close();
  await expect(open({ url })).rejects.toMatchObject({ code: "unreachable", message: expect.stringContaining(url) });
  server = await startHranaDouble(path);
});
