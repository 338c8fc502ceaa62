import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Database, openDatabase, type Statement } from "../../database/index.ts";
import { benchThreads } from "../../database-bench.ts";
import { RecordedCalls } from "./recorded-calls.ts";

let db: Database;
beforeEach(async () => {
  db = await openDatabase({ url: ":memory:", schema: "tasks", owner: { name: "test" }, threads: benchThreads });
});
afterEach(() => db.close());

interface Stored {
  readonly id: string;
  readonly name: string;
  readonly at: number;
  readonly outcome?: string | null;
  readonly result?: string | null;
  readonly parent?: string;
}

function store(calls: readonly Stored[]): Promise<unknown> {
  const statements: Statement[] = calls.map(({ id, name, at, outcome = "ok", result = "found", parent = null }) => ({
    sql: `INSERT INTO call (id, class, context, task, name, args, digest, outcome, result, started_at, ended_at, parent)
VALUES (?, 'operator', 's', 't', ?, '{"q":1}', 'd', ?, ?, ?, ?, ?)`,
    args: [id, name, outcome, result, at, outcome === null ? null : at + 7, parent],
  }));
  return db.commit({ label: "test.calls", statements });
}

const tool = (server: string, name: string, fullName = `${server}__${name}`) => ({
  ...{ fullName, effect: "pure" as const, pin: { kind: "tool", name } },
});
const known = new Map([
  ["docs", [tool("docs", "find"), tool("docs", "a very long name", "docs__a_very_1234abcd")]],
  ["a", []],
  ["a_", []],
]);
const ids = async (calls: RecordedCalls, server: string) =>
  (await calls.page(server, { limit: 9 })).map(({ callId }) => callId);

test("a page holds the newest calls of one server, however they ended, and the next one goes on behind it", async () => {
  await store([
    { id: "c1", name: "docs__find", at: 10 },
    { id: "c2", name: "docs__a_very_1234abcd", at: 20, outcome: "aborted", result: "äö" },
    { id: "c3", name: "docs__gone", at: 20, outcome: null, result: null, parent: "c2" },
    { id: "c4", name: "docs_find", at: 30 },
    { id: "c5", name: "find", at: 30 },
    { id: "c6", name: "__find", at: 30 },
    { id: "c7", name: "docs2__find", at: 30 },
  ]);
  const calls = new RecordedCalls(db, () => known);
  const page = await calls.page("docs", { limit: 2 });
  expect(page).toMatchObject([
    { callId: "c3", tool: "gone", outcome: "open", ms: undefined, bytes: 0, approxTokens: 0, parentCall: "c2" },
    { callId: "c2", tool: "a very long name", outcome: "canceled", ms: 7, bytes: 4, approxTokens: 1, at: 20 },
  ]);
  const rest = await calls.page("docs", { limit: 2, before: { at: 20, callId: "c2" } });
  expect(rest).toMatchObject([{ callId: "c1", outcome: "ok", sessionId: "s", taskId: "t", caller: "operator" }]);
  await expect(calls.page("nope", { limit: 1 })).rejects.toMatchObject({ code: "mcp.unknown_server" });
});

describe("a name that begins as two servers' do", () => {
  test("is the one's that is there, and the longer one's where both are", async () => {
    await store([
      { id: "c1", name: "a__x", at: 1 },
      { id: "c2", name: "a___x", at: 2 },
    ]);
    const both = new RecordedCalls(db, () => known);
    expect([await ids(both, "a"), await ids(both, "a_")]).toEqual([["c1"], ["c2"]]);
    expect(await both.read("c2")).toMatchObject({ server: "a_", tool: "x", effect: undefined });
    const one = new RecordedCalls(db, () => new Map([["a", []]]));
    expect(await ids(one, "a")).toEqual(["c2", "c1"]);
  });
});

test("one call is read whole, and one that no server has is none", async () => {
  await store([
    { id: "c1", name: "docs__find", at: 1, result: "x".repeat(100_000) },
    { id: "c2", name: "calculator", at: 2 },
  ]);
  const calls = new RecordedCalls(db, () => known);
  const call = await calls.read("c1");
  expect(call).toMatchObject({
    server: "docs",
    fullName: "docs__find",
    args: '{"q":1}',
    effect: "pure",
    bytes: 100_000,
  });
  expect(call?.result).toHaveLength(65_536);
  expect([await calls.read("c2"), await calls.read("c9")]).toEqual([undefined, undefined]);
});

test("a page costs the same however many calls there are: it walks an index, and sorts nothing", async () => {
  const asked: Statement[] = [];
  const watched = {
    read: (statement: Statement) => {
      asked.push(statement);
      return db.read(statement);
    },
  } as Database;
  await new RecordedCalls(watched, () => known).page("docs", { limit: 50, before: { at: 5, callId: "c" } });
  const { sql = "", args = [] } = asked[0] ?? {};
  const plan = (await db.read({ sql: `EXPLAIN QUERY PLAN ${sql}`, args })).map((row) => String(row[3]));
  expect(plan[0]).toMatch(/^SEARCH c USING INDEX call_mcp_server \(<expr>=\?/);
  expect(plan.join("\n")).not.toMatch(/TEMP B-TREE|SCAN/);
});
