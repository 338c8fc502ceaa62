import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { benchThreads } from "../../database-bench.ts";
import { openDatabase } from "../open-database.ts";
import { IndexMerge } from "./index-merge.ts";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "erase-remains-"));
  folders.push(folder);
  return folder;
}

const open = (folder: string) =>
  openDatabase({
    threads: benchThreads,
    url: `file:${join(folder, "store.db")}`,
    schema: "memory",
    owner: { name: "test" },
  });

const count = (folder: string, pattern: RegExp) =>
  readdirSync(folder).reduce(
    (sum, file) => sum + (readFileSync(join(folder, file), "latin1").match(pattern)?.length ?? 0),
    0,
  );

const INSERT = `INSERT INTO summary (no, session, at, surface, topic, messages, bytes, outside, words) VALUES (?, ?, 0, '', ?, 0, 0, 0, '')`;

it("leaves no byte of deleted rows in the files, not of their moves between pages either (KM6)", async () => {
  const folder = newFolder();
  const db = await open(folder);
  // Rows come between others and grow, so that pages are balanced again and again.
  for (let round = 0; round < 8; round++) {
    const statements = Array.from({ length: 120 }, (_, i) => {
      const no = ((i * 8 + round) % 960) + 1;
      const topic = `${no % 2 === 0 ? "canary" : "lark"} ${"ab ".repeat((no * 7) % 40)}`;
      return { sql: INSERT, args: [no, `s${no}`, topic] };
    });
    await db.commit({ label: "test", statements });
  }
  const grow = { sql: "UPDATE summary SET topic = topic || topic || topic WHERE no % 3 = 0", args: [] };
  await db.commit({ label: "test", statements: [grow] });
  const statements = [{ sql: "DELETE FROM summary WHERE topic LIKE 'canary%'", args: [] }];
  await db.commit({ label: "test", statements, overwrite: true });
  // The deleted rows are overwritten; what balancing left of them is not.
  expect(count(folder, /canary/g)).toBeGreaterThan(0);
  await Promise.all([db.eraseRemains(), db.eraseRemains(), db.eraseRemains()]);
  expect(count(folder, /canary/g)).toBe(0);
  const left = await db.read({ sql: "SELECT count(*), sum(topic LIKE 'lark%') FROM summary", args: [] });
  expect(left).toEqual([[480, 480]]);
  expect(await db.read({ sql: "PRAGMA integrity_check", args: [] })).toEqual([["ok"]]);
  await db.commit({ label: "test", statements: [{ sql: INSERT, args: [1000, "s", "a wren came"] }] });
  await db.close();
  const again = await open(folder);
  expect(await again.read({ sql: "SELECT topic FROM summary WHERE no = 1000", args: [] })).toEqual([["a wren came"]]);
  await again.close();
});

it.each([
  ["of many segments", 40],
  ["of one segment", 8],
])("takes the words of deleted rows out of an index that keeps no texts, %s", async (_, rows) => {
  const folder = newFolder();
  const db = await openDatabase({
    threads: benchThreads,
    url: `file:${join(folder, "store.db")}`,
    owner: { name: "test" },
  });
  const said = (no: number, text: string) => ({
    sql: "INSERT INTO session_text (rowid, text) VALUES (?, ?)",
    args: [no, text],
  });
  const all = Array.from({ length: rows }, (_, i) => said(i + 1, i === 6 ? "a canary sings" : `lark${i + 1} stays`));
  const commits = rows === 8 ? [all] : all.map((one) => [one]);
  for (const statements of commits) await db.commit({ label: "test", statements });
  const statements = [{ sql: "DELETE FROM session_text WHERE rowid = 7", args: [] }];
  await db.commit({ label: "test", statements, overwrite: true });
  expect(count(folder, /canari/g)).toBeGreaterThan(0);
  await new IndexMerge(async () => db, { index: "session_text", columns: ["text"] }).clean();
  await db.eraseRemains();
  expect(count(folder, /canari/g)).toBe(0);
  const search = "SELECT rowid FROM session_text WHERE session_text MATCH ?";
  const check = { sql: "INSERT INTO session_text (session_text) VALUES ('integrity-check')", args: [] };
  await db.commit({ label: "test", statements: [check] });
  expect(await db.read({ sql: search, args: ["lark5"] })).toEqual([[5]]);
  await db.close();
});

it("takes marks of deleted words out of an index that was large and is small, where segments change their levels", async () => {
  const db = await openDatabase({ url: ":memory:", schema: "memory", owner: { name: "test" }, threads: benchThreads });
  const merge = new IndexMerge(async () => db, {
    ...{ index: "summary_text", columns: ["words"], counts: "summary_count" },
  });
  const commit = (sql: string, args: readonly (string | number)[] = []) =>
    db.commit({ label: "test", statements: [{ sql, args }] });
  const added = `INSERT INTO summary (session, at, surface, topic, messages, bytes, outside, words)`;
  let next = 1;
  const add = (words: string) => commit(`${added} VALUES (?, 0, '', '', 0, 0, 0, ?)`, [`s${next++}`, words]);
  for (let round = 0; round < 4; round++) {
    await commit(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400)
       ${added} SELECT 'many${round}-' || i, 0, '', '', 0, 0, 0, hex(randomblob(9)) || ' ' || hex(randomblob(9)) FROM n`,
    );
    await commit(`DELETE FROM summary WHERE session LIKE 'many${round}-%7'`);
    await merge.clean();
  }
  await add("a lark stays");
  await commit("DELETE FROM summary WHERE session LIKE 'many%'");
  await merge.clean();
  for (let round = 0; round < 6; round++) {
    const word = `canary${"abcdef"[round]}`;
    for (let i = 0; i < round; i++) await add(`lark${i} stays`);
    await add(`${word} sings`);
    await commit("DELETE FROM summary WHERE words LIKE 'canary%'");
    await merge.clean();
    const blocks = await db.read({ sql: "SELECT block FROM summary_text_data", args: [] });
    const text = blocks.map(([block]) => Buffer.from(block as Uint8Array).toString("latin1")).join("\n");
    expect(text, word).not.toContain("canari");
    expect(text, word).not.toContain("canary");
  }
  await commit("INSERT INTO summary_text (summary_text, rank) VALUES ('integrity-check', 1)");
  await db.close();
});

it("does nothing to a store in memory", async () => {
  const db = await openDatabase({ url: ":memory:", owner: { name: "test" }, threads: benchThreads });
  await db.eraseRemains();
  await db.close();
  await expect(db.eraseRemains()).rejects.toMatchObject({ code: "closed" });
});
