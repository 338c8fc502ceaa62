import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Database, openDatabase } from "../database/index.ts";
import { DEFAULT_RETENTION, removeExpired } from "../journal/index.ts";
import { createIdempotencyStore, type IdempotencyKey, type IdempotencyStore } from "./index.ts";

const HOUR = 3_600_000;
const key: IdempotencyKey = { class: "operator", key: "k-1", digest: "d-1" };
const answer = { status: 201, headers: { "content-type": "application/json" }, body: '{"ok":true}' };

let db: Database;
let now = 1_000_000_000;
let store: IdempotencyStore;
beforeAll(async () => {
  db = await openDatabase({ url: ":memory:", owner: { name: "test" } });
});
beforeEach(async () => {
  await db.commit({ label: "test", statements: [{ sql: "DELETE FROM kept_answer", args: [] }] });
  store = createIdempotencyStore(db, { now: () => now });
});
afterAll(() => db.close());

describe("responses under idempotency keys (A15)", () => {
  test("are returned for the same request, in a new process too", async () => {
    expect(await store.claim(key)).toEqual({ kind: "taken", since: now, begun: false });
    await store.keep(key, 201, answer);
    expect(await store.claim(key)).toEqual({ kind: "answered", answer });
    expect(await createIdempotencyStore(db, { now: () => now }).claim(key)).toEqual({ kind: "answered", answer });
    await store.keep({ ...key, digest: "d-2" }, 500, undefined);
    expect(await store.claim(key)).toEqual({ kind: "answered", answer });
  });

  test("IK1: a request that was begun and never ended runs again, under the time of the first run", async () => {
    await store.claim(key);
    const since = now;
    now += 5;
    expect(await createIdempotencyStore(db, { now: () => now }).claim(key)).toEqual({
      kind: "taken",
      since,
      begun: true,
    });
    expect(await store.claim({ ...key, digest: "d-2" })).toEqual({ kind: "other" });
    await store.keep(key, 201, answer);
    expect(await store.claim(key)).toEqual({ kind: "answered", answer });
  });

  test("IK1: a released key can be taken again", async () => {
    await store.claim(key);
    await store.release(key);
    now += 5;
    expect(await store.claim(key)).toEqual({ kind: "taken", since: now, begun: false });
  });

  test("IK2: another request under the key is rejected; another class has keys of its own", async () => {
    await store.claim(key);
    await store.keep(key, 201, answer);
    expect(await store.claim({ ...key, digest: "d-2" })).toEqual({ kind: "other" });
    expect(await store.claim({ ...key, class: "federation" })).toMatchObject({ kind: "taken", begun: false });
  });

  test("IK3: last 24 hours, and are removed with the journal's retention", async ({ task }) => {
    await store.claim(key);
    await store.keep(key, 204, { ...answer, status: 204, body: undefined });
    const kept = now;
    now += 24 * HOUR;
    expect(await store.claim(key)).toMatchObject({ kind: "answered", answer: { status: 204, body: undefined } });
    const found = (now - kept) / HOUR;
    task.meta.bounds = [{ what: "an idempotency key still answers after", found, least: 24, unit: "hours" }];
    now += 1;
    expect(await store.claim({ ...key, digest: "d-2" })).toEqual({ kind: "taken", since: now, begun: false });
    const removeSession = async (): Promise<void> => {};
    await removeExpired({ db, now: now + 25 * HOUR, keep: DEFAULT_RETENTION, removeSession });
    expect(await db.read({ sql: "SELECT count(*) FROM kept_answer", args: [] })).toEqual([[0]]);
  });

  test("IK3: are bounded in number and size; of a large one only the status is stored", async () => {
    const small = createIdempotencyStore(db, { now: () => now }, { keys: 2, answerLength: 100 });
    expect(await small.claim(key)).toMatchObject({ kind: "taken" });
    await small.keep(key, 200, { ...answer, body: "x".repeat(100) });
    expect(await small.claim(key)).toEqual({ kind: "not_stored", status: 200 });
    expect(await small.claim({ ...key, key: "k-2" })).toMatchObject({ kind: "taken" });
    expect(await small.claim({ ...key, key: "k-3" })).toEqual({ kind: "full" });
  });
});
