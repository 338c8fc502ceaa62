import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Libsql from "libsql";
import { afterAll, expect, it } from "vitest";
import { inspectStore } from "./inspect-store.ts";
import { openDatabase } from "./open-database.ts";

const folder = mkdtempSync(join(tmpdir(), "store-inspect-"));
afterAll(() => rmSync(folder, { recursive: true }));
const at = (name: string): string => join(folder, name);

it("names the owner of a store that is open, and leaves it alone", async () => {
  const database = await openDatabase({ url: `file:${at("open.db")}`, owner: { name: "ada" } });
  const found = await inspectStore(at("open.db"), Date.now());
  expect(found).toMatchObject({ exists: true, pending: 0, checked: true, owner: { name: "ada", pid: process.pid } });
  expect(found.problem).toBeUndefined();
  await database.commit({ label: "t", statements: [{ sql: "CREATE TABLE n (i INTEGER)", args: [] }] });
  await database.close();
  expect(await inspectStore(at("open.db"), Date.now())).toMatchObject({ exists: true, checked: true });
  expect((await inspectStore(at("open.db"), Date.now())).owner).toBeUndefined();
});

it("explains why a start could not use a file that is no store, or a newer one", async () => {
  expect(await inspectStore(at("none.db"), 0)).toEqual({ exists: false, bytes: 0, pending: 0, checked: false });
  writeFileSync(at("text.db"), "no database at all ".repeat(100));
  expect((await inspectStore(at("text.db"), 0)).problem).toMatch(/not a database/);
  await (await openDatabase({ url: `file:${at("newer.db")}`, owner: { name: "ada" } })).close();
  const db = new Libsql(at("newer.db"));
  db.exec("INSERT INTO schema_migration (number, name, checksum, applied_at) VALUES (9999, 'later', 'x', 0)");
  db.close();
  expect((await inspectStore(at("newer.db"), 0)).problem).toMatch(/newer version/);
});
