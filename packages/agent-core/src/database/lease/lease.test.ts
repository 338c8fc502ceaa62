import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, afterEach, expect, test } from "vitest";
import { manualClock } from "../../testing/manual-clock.ts";
import type { DatabaseError } from "../database-error.ts";
import type { Command, Database } from "../database-port.ts";
import { openDatabase } from "../open-database.ts";
import { StoreConnection } from "../store-connection.ts";
import { acquireLease } from "./lease.ts";
import { ownIdentity } from "./process-identity.ts";

const folder = mkdtempSync(join(tmpdir(), "store-lease-"));
const children: ChildProcess[] = [];
const opened: Database[] = [];

afterEach(async () => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  for (const database of opened.splice(0)) await database.close();
});
afterAll(() => rmSync(folder, { recursive: true }));

const TABLE: Command = { label: "t", statements: [{ sql: "CREATE TABLE n (i INTEGER)", args: [] }] };
const insert = (i: number): Command => ({ label: "t", statements: [{ sql: "INSERT INTO n VALUES (?)", args: [i] }] });

async function open(path: string, more: object = {}): Promise<Database> {
  const database = await openDatabase({ url: `file:${path}`, owner: { name: "second" }, ...more });
  opened.push(database);
  return database;
}

/** Another process that opens the store and then does nothing but hold it. Resolves once it does. */
async function holder(path: string): Promise<ChildProcess> {
  const entry = new URL("../open-database.ts", import.meta.url).href;
  const script = `
    const { openDatabase } = await import(${JSON.stringify(entry)});
    const database = await openDatabase({ url: ${JSON.stringify(`file:${path}`)}, owner: { name: "first" } });
    console.log("open");
    process.stdin.once("data", () => database.close().then(() => process.exit()));
  `;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: ["pipe", "pipe", "inherit"] });
  children.push(child);
  await once(createInterface({ input: child.stdout! }), "line");
  return child;
}

test("a store in use is refused, naming its owner, until the owner closes it (R12)", async () => {
  const path = join(folder, "in-use.db");
  const child = await holder(path);
  const refused = await open(path).catch((error: DatabaseError) => error);
  expect(refused).toMatchObject({
    code: "in_use",
    message: expect.stringContaining(`by first (process ${child.pid} on `),
  });
  child.stdin!.write("close\n");
  await once(child, "exit");
  await (await open(path)).commit(TABLE);
});

test("a process that was killed does not keep its successor waiting (R12)", async () => {
  const path = join(folder, "killed.db");
  const child = await holder(path);
  child.kill("SIGKILL");
  await once(child, "exit");
  const database = await open(path);
  await database.commit(TABLE);
  expect(await database.read({ sql: "SELECT epoch, owner FROM lease", args: [] })).toEqual([[2, "second"]]);
});

test("one process cannot open a file twice, and can again after closing it", async () => {
  const path = join(folder, "twice.db");
  const first = await open(path);
  await expect(open(path)).rejects.toMatchObject({ code: "in_use" });
  await first.close();
  await open(path);
});

test("of two that see the same free lease one takes it, the other's error names the owner (EN11)", async () => {
  const path = join(folder, "race.db");
  await (await open(path)).close();
  const connection = new StoreConnection({ path, synchronous: "full", maxBytes: undefined });
  const claims = ["one", "two"].map((name) => ({ ...ownIdentity(), name, leaseMs: 1_000, commitId: name }));
  // Both have read before either writes: whoever waits for the answer lets the other continue.
  const taken = await Promise.allSettled(claims.map((claim) => acquireLease(connection, claim, () => 1)));
  connection.close();
  expect(taken).toMatchObject([
    { status: "fulfilled", value: { epoch: expect.any(Number), expiresAt: 1_001 } },
    {
      status: "rejected",
      reason: { code: "in_use", message: expect.stringMatching(/by one \(.* 1 s unless renewed$/) },
    },
  ]);
});

test("an expired lease is taken over; the former owner's commits are refused for good and it is notified once (EN11)", async () => {
  const path = join(folder, "expired.db");
  const lost: string[] = [];
  const sleeping = manualClock();
  const first = await open(path, { clock: sleeping, onLeaseLost: (error: DatabaseError) => lost.push(error.code) });
  await first.commit(TABLE);
  await first.commit(insert(1));
  // By the second one's clock the first one's lease is over: it never renewed.
  const later = manualClock(sleeping.now() + 60_000);
  const second = await open(path, { clock: later });
  await second.commit(insert(2));
  const results = await Promise.allSettled([first.commit(insert(3)), first.commit(insert(4))]);
  expect(results.map((it) => (it.status === "rejected" ? it.reason.code : "ok"))).toEqual(["lease_lost", "lease_lost"]);
  await expect(first.commit(insert(5))).rejects.toMatchObject({ code: "lease_lost" });
  expect(lost).toEqual(["lease_lost"]);
  expect(await second.read({ sql: "SELECT i FROM n", args: [] })).toEqual([[1], [2]]);
  // It may still look, and closing it does not take the lease from the new owner.
  expect(await first.read({ sql: "SELECT count(*) FROM n", args: [] })).toEqual([[2]]);
  await first.close();
  await second.commit(insert(6));
});

test("a lease is renewed while its owner lives, and its loss is noticed without a commit", async () => {
  const path = join(folder, "renewed.db");
  const clock = manualClock();
  let notify: (error: DatabaseError) => void = () => undefined;
  const lost = new Promise<DatabaseError>((resolve) => (notify = resolve));
  const first = await open(path, { clock, leaseMs: 3_000, onLeaseLost: notify });
  const expiry = async (): Promise<number> =>
    Number((await first.read({ sql: "SELECT expires_at FROM lease", args: [] }))[0]![0]);
  const before = await expiry();
  expect(before).toBe(clock.now() + 3_000);
  await clock.advance(1_000);
  expect(await expiry()).toBe(before + 1_000);
  await first.commit({ label: "thief", statements: [{ sql: "UPDATE lease SET epoch = epoch + 1", args: [] }] });
  await clock.untilDueIn(1_000);
  await clock.advance(1_000);
  expect((await lost).code).toBe("lease_lost");
});
