import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test, vi } from "vitest";
import type { Statement, Value } from "./database-port.ts";
import { EmbeddedBackend, type EmbeddedOptions } from "./embedded-backend.ts";
import { ownIdentity } from "./lease/process-identity.ts";
import { StatementTable } from "./statement/statement-table.ts";
import { createStoreThreads, type StoreHost } from "./store-host.ts";

const folder = mkdtempSync(join(tmpdir(), "store-threads-"));
afterAll(() => rmSync(folder, { recursive: true }));

const statement = (sql: string, ...args: Value[]): Statement => ({ sql, args });

function open(name: string, more: Partial<EmbeddedOptions> = {}): Promise<EmbeddedBackend> {
  return EmbeddedBackend.open({
    connection: { path: join(folder, name), synchronous: "full", maxBytes: undefined },
    claim: { ...ownIdentity(), name: "test", leaseMs: 10_000, commitId: "first" },
    migrations: fileURLToPath(new URL("../../migrations/", import.meta.url)),
    now: Date.now(),
    texts: new StatementTable(),
    onDeath: () => undefined,
    reader: "at-once",
    ...more,
  });
}

/** Milliseconds that a batch of reads took its thread. */
type BatchTime = (measured: number) => number;

/**
 * A file whose reading thread comes when it is needed, and how often it came. `took` replaces the time that the
 * threads report for a batch of reads.
 */
async function openWatched(
  name: string,
  took: BatchTime,
): Promise<{ backend: EmbeddedBackend; readers: () => number }> {
  const threads = createStoreThreads();
  let readers = 0;
  const timed = (host: StoreHost, onAttach: () => void): StoreHost => {
    const attach: StoreHost["attach"] = (...of) => {
      onAttach();
      const file = host.attach(...of);
      const request: typeof file.request = async (what) => {
        const reply = await file.request(what);
        return reply.kind === "queries" ? { ...reply, ms: took(reply.ms) } : reply;
      };
      return { ...file, request };
    };
    return Object.assign(Object.create(host) as StoreHost, { attach });
  };
  const reader = timed(threads.reader, () => {
    readers += 1;
  });
  const writer = timed(threads.writer, () => {});
  const backend = await open(name, { reader: "when-needed", threads: { writer, reader } });
  return { backend, readers: () => readers };
}

test("the second thread, and its 15 MB, are for what takes the writer's thread long, not for answers that wait while the service loads its modules", async () => {
  let now = performance.now();
  const clock = vi.spyOn(performance, "now").mockImplementation(() => now);
  const measured: number[] = [];
  let took = 20;
  const { backend, readers } = await openWatched("busy.db", (ms) => {
    measured.push(ms);
    // The answer waits in this thread for longer than the other one took.
    now += 60;
    return took;
  });
  try {
    expect([await backend.read(statement("SELECT 1"), 0), readers()]).toEqual([[[1]], 0]);
    took = 21;
    const slow = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 1000000) SELECT count(*) FROM n";
    expect([await backend.read(statement(slow), 0), readers()]).toEqual([[[1_000_000]], 1]);
    expect(measured.map((ms) => ms > 0)).toEqual([true, true]);
  } finally {
    clock.mockRestore();
    await backend.close();
  }
});

test("the second thread ends after some minutes without need, and starts again when needed", async () => {
  const { backend, readers } = await openWatched("goes.db", () => 0);
  await backend.applyGroup([{ label: "t", statements: [statement("CREATE TABLE n (i INTEGER)")] }]);
  await backend.read(statement("SELECT 1"), 0, "long");
  const now = vi.spyOn(performance, "now").mockReturnValue(performance.now() + 300_000);
  try {
    // The thread that ends answers it first; whether before or after the insert is for the two threads to settle.
    const read = backend.read(statement("SELECT 7"), 0);
    await backend.renew(Date.now() + 10_000);
    await backend.applyGroup([{ label: "t", statements: [statement("INSERT INTO n VALUES (1)")] }]);
    expect([await read, await backend.read(statement("SELECT count(*) FROM n"), 0)]).toEqual([[[7]], [[1]]]);
    expect(readers()).toBe(1);
    expect(await backend.read(statement("SELECT i FROM n"), 0, "long")).toEqual([[1]]);
    expect(readers()).toBe(2);
  } finally {
    now.mockRestore();
    await backend.close();
  }
});

test("a read that the reading thread does not answer ends after a minute, and the writer answers the next", async () => {
  const threads = createStoreThreads();
  const asked = Promise.withResolvers<void>();
  const attach: StoreHost["attach"] = (data, onDeath) => {
    const file = threads.reader.attach(data, onDeath);
    const request: typeof file.request = (what) => {
      if (what.kind !== "queries") return file.request(what);
      asked.resolve();
      return new Promise(() => {});
    };
    return { ...file, request };
  };
  const reader = Object.assign(Object.create(threads.reader) as StoreHost, { attach });
  const backend = await open("hangs.db", { reader: "when-needed", threads: { ...threads, reader } });
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    const read = backend.read(statement("SELECT 1"), 0, "long");
    const ended = expect(read).rejects.toMatchObject({ code: "unreachable" });
    await asked.promise;
    vi.advanceTimersByTime(60_000);
    await ended;
    expect(await backend.read(statement("SELECT 2"), 0, "long")).toEqual([[2]]);
  } finally {
    vi.useRealTimers();
    await backend.close();
  }
});

test("the reading thread sees every commit that was resolved before the read began (DB6)", async () => {
  const backend = await open("sees.db");
  await backend.applyGroup([{ label: "t", statements: [statement("CREATE TABLE n (i INTEGER)")] }]);
  for (let i = 0; i < 200; i += 1) {
    await backend.applyGroup([{ label: "t", statements: [statement("INSERT INTO n VALUES (?)", i)] }]);
    expect(await backend.read(statement("SELECT max(i), count(*) FROM n"), 0)).toEqual([[i, i + 1]]);
  }
  await backend.close();
});

test("a long read does not hold up commits", async () => {
  // The disk can keep a commit for longer than any read; here it is about the threads alone.
  const connection = { path: join(folder, "long.db"), synchronous: "off", maxBytes: undefined } as const;
  const backend = await open("long.db", { connection });
  await backend.applyGroup([{ label: "t", statements: [statement("CREATE TABLE n (i INTEGER)")] }]);
  /** What ended first: a read of so many steps, or a commit that was asked for after it. */
  const first = async (steps: number): Promise<string | undefined> => {
    const order: string[] = [];
    const count = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT ${steps}) SELECT count(*) FROM n`;
    const long = backend.read(statement(count), 0).then(([row]) => order.push(`read ${row?.[0]}`));
    await backend.applyGroup([{ label: "t", statements: [statement("INSERT INTO n VALUES (1)")] }]);
    order.push("commit");
    await long;
    expect(order).toContain(`read ${steps}`);
    return order[0];
  };
  // A busy machine may keep the committing thread for as long as a read takes, but hardly for every one that takes longer.
  let ended: string | undefined;
  for (let steps = 1_000_000; ended !== "commit" && steps <= 256_000_000; steps *= 4) ended = await first(steps);
  expect(ended).toBe("commit");
  await backend.close();
});

test("a read that was cut off at its bounds leaves the next one a fresh view (CO3, DB6)", async () => {
  const backend = await open("cut.db");
  const fill =
    "INSERT INTO n WITH RECURSIVE i(v) AS (SELECT 1 UNION ALL SELECT v + 1 FROM i LIMIT 60000) SELECT v FROM i";
  await backend.applyGroup([{ label: "t", statements: [statement("CREATE TABLE n (i INTEGER)"), statement(fill)] }]);
  await expect(backend.read(statement("SELECT i FROM n"), 0)).rejects.toMatchObject({ code: "misuse" });
  await backend.applyGroup([{ label: "t", statements: [statement("DELETE FROM n")] }]);
  expect(await backend.read(statement("SELECT count(*) FROM n"), 0)).toEqual([[0]]);
  await backend.close();
});

test("the reading thread cannot write, even by a statement that looks like a query", async () => {
  const backend = await open("write.db");
  await backend.applyGroup([{ label: "t", statements: [statement("CREATE TABLE n (i INTEGER)")] }]);
  await expect(backend.read(statement("INSERT INTO n VALUES (1) RETURNING i"), 0)).rejects.toMatchObject({
    code: "unwritable",
  });
  expect(await backend.read(statement("SELECT count(*) FROM n"), 0)).toEqual([[0]]);
  await backend.close();
});

test("an expectation that fails inside a group of one connection leaves the connection usable", async () => {
  const backend = await open("group.db");
  await backend.applyGroup([{ label: "t", statements: [statement("CREATE TABLE n (i INTEGER PRIMARY KEY)")] }]);
  const failures = await backend.applyGroup([
    { label: "a", statements: [statement("INSERT INTO n VALUES (1)")] },
    {
      label: "b",
      expect: statement("UPDATE n SET i = 9 WHERE i = 8"),
      statements: [statement("INSERT INTO n VALUES (2)")],
    },
    { label: "c", statements: [statement("INSERT INTO n VALUES (1)")] },
  ]);
  expect(failures.map(({ index, code }) => [index, code])).toEqual([
    [1, "expectation_failed"],
    [2, "constraint"],
  ]);
  expect(await backend.read(statement("SELECT i FROM n"), 0)).toEqual([[1]]);
  await backend.close();
});
