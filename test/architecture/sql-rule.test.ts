import { expect, test } from "vitest";
import { parseTree } from "./parsed-file.ts";
import { treeOf } from "./source-tree.ts";
import { sqlRule } from "./sql-rule.ts";

function violations(source: string, file = "apps/server/src/features/inbox/inbox-service.ts"): number {
  return sqlRule(parseTree(treeOf({ [file]: source }))).length;
}

test.each([
  ['db.get("SELECT id FROM task WHERE id = ?")'],
  ["db.get(`SELECT id,\n  state FROM task`)"],
  ['db.run("INSERT OR IGNORE INTO task (id) VALUES (?)")'],
  ['db.run("UPDATE task SET state = ?")'],
  ['db.run("DELETE FROM task")'],
  ['db.exec("CREATE UNIQUE INDEX task_state ON task (state)")'],
  ['db.exec("PRAGMA journal_mode = wal")'],
])("%s is found outside agent-core", (source) => {
  expect(violations(source)).toBe(1);
  expect(violations(source, "apps/server/src/send.test.ts")).toBe(1);
  expect(violations(source, "packages/agent-core/src/task/task-queries.ts")).toBe(0);
});

test.each([
  ['"Select a model from the list"'],
  ['"SELECT"'],
  ['"Update the settings, then set the token"'],
  ['"insert into the conversation"'],
])("the text %s is no SQL", (source) => {
  expect(violations(`const text = ${source};`)).toBe(0);
});
