/** Stores that earlier versions wrote halves of surrogate pairs into, which the native binding ends the process at. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Libsql from "libsql";
import { afterAll, expect, it } from "vitest";
import { benchThreads } from "../../database-bench.ts";
import { openDatabase } from "../open-database.ts";
import { StoreConnection } from "../store-connection.ts";
import { repairTexts } from "./repair-texts.ts";

const folder = mkdtempSync(join(tmpdir(), "store-repair-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Rows as an earlier version left them: half a pair escaped, in a nested text, as bytes, beside texts that look alike. */
const ROWS = String.raw`
DROP TABLE IF EXISTS kept;
CREATE TABLE kept (name TEXT NOT NULL, part INTEGER NOT NULL, body TEXT, note TEXT, PRIMARY KEY (name, part)) STRICT, WITHOUT ROWID;
INSERT INTO kept VALUES
  ('escaped', 1, '{"text":"a\ud83d!","whole":"\ud83d\ude00","spelled":"\\ud83d","args":"{\"x\":\"\\ud800\"}"}', NULL),
  ('bytes', 1, 'plain', CAST(x'61EDA0BD62EDBFBF' AS TEXT)),
  ('korean', 1, 'plain', CAST(x'ED959CEAB5AD' AS TEXT)),
  ('nul', 1, CAST(x'610062' AS TEXT), '{"text":"a\u0000b"}');
PRAGMA user_version = 0;`;

async function storeWith(name: string, sql: string): Promise<string> {
  const path = join(folder, name);
  await (await openDatabase({ url: `file:${path}`, owner: { name: "earlier" }, threads: benchThreads })).close();
  const db = new Libsql(path);
  db.exec(sql);
  db.close();
  return path;
}

it("opens such a store and reads every row, with U+FFFD in place of the halves and all else as it was", async () => {
  const path = await storeWith("old.db", ROWS);
  // What would happen to the process that reads it as it is.
  const program = `const Libsql = require("libsql"); new Libsql(process.argv[1]).prepare("SELECT body ->> '$.text' FROM kept WHERE name = 'escaped'").all()`;
  const read = spawnSync(process.execPath, ["-e", program, path], { cwd: import.meta.dirname });
  expect(read.signal ?? read.status).toBe("SIGABRT");
  const database = await openDatabase({ url: `file:${path}`, owner: { name: "heir" }, threads: benchThreads });
  const members = ["text", "whole", "spelled", "args"].map((name) => `body ->> '$.${name}'`).join();
  const escaped = { sql: `SELECT ${members} FROM kept WHERE name = 'escaped'`, args: [] };
  expect(await database.read(escaped)).toEqual([["a\ufffd!", "\u{1f600}", "\\ud83d", '{"x":"\\ud800"}']]);
  const notes = { sql: "SELECT name, note, length(body) FROM kept WHERE name <> 'escaped' ORDER BY name", args: [] };
  expect(await database.read(notes)).toEqual([
    ["bytes", "a\ufffdb\ufffd", 5],
    ["korean", "\ud55c\uad6d", 5],
    ["nul", '{"text":"a\\u0000b"}', 1],
  ]);
  expect(await database.read({ sql: "PRAGMA user_version", args: [] })).toEqual([[1]]);
  await database.close();
});

it("changes every broken row, in pages, and looks through a store once", async () => {
  const many = String.raw`CREATE TABLE many (id INTEGER PRIMARY KEY, body TEXT) STRICT;
WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
INSERT INTO many SELECT i, iif(i % 2, '{"text":"\ud800"}', '{"text":"fine \\ud800"}') FROM n;`;
  const path = await storeWith("many.db", `${ROWS}${many}`);
  const connection = new StoreConnection({ path, synchronous: "full", maxBytes: undefined });
  const version = () => Number(connection.query("PRAGMA user_version")[0]?.[0]);
  // A start that ends in the middle of a table is continued by the next, with that table.
  const ended = repairTexts(connection, () => Promise.reject(new Error("killed")));
  await expect(ended).rejects.toThrow("killed");
  const tables = -version();
  expect(tables).toBeGreaterThan(0);
  expect(connection.query("SELECT count(*) FROM many WHERE body LIKE '%\ufffd%'")).not.toEqual([[0]]);
  let pages = 0;
  const between = async () => void pages++;
  expect(await repairTexts(connection, between)).toBeGreaterThan(0);
  expect(pages).toBeGreaterThan(0);
  expect(version()).toBe(1);
  expect(connection.query("SELECT body ->> '$.text', count(*) FROM many GROUP BY 1 ORDER BY 1")).toEqual([
    ["fine \\ud800", 500],
    ["\ufffd", 500],
  ]);
  connection.execute(String.raw`INSERT INTO many VALUES (2000, '{"text":"\ud800"}')`);
  expect(await repairTexts(connection)).toBe(0);
  connection.close();
});

it("repairs a row that is longer than other reads may be, and leaves texts that only look like half a pair", async () => {
  const path = await storeWith("long.db", ROWS);
  const connection = new StoreConnection({ path, synchronous: "full", maxBytes: undefined });
  connection.script(
    String.raw`INSERT INTO kept VALUES ('long', 1, '{"text":"\ud800' || printf('%.*c', 20000000, 'x') || '"}', 'C:\udisk')`,
  );
  expect(await repairTexts(connection)).toBe(3);
  const row = "SELECT substr(body, 1, 13), length(body), note FROM kept WHERE name = 'long'";
  expect(connection.query(row)).toEqual([['{"text":"\ufffdxxx', 20_000_012, "C:\\udisk"]]);
  connection.close();
});
