import { randomUUID } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { type Command, type Database, openDatabase } from "../database/index.ts";
import { benchThreads } from "../database-bench.ts";
import { manualClock } from "../testing/manual-clock.ts";
import type { NewMemory } from "./chunk.ts";
import { ConversationCopies } from "./forgetting/conversation-copies.ts";
import { Forgetting } from "./forgetting/forgetting.ts";
import { KnowledgeStore } from "./knowledge-store.ts";
import { OperatorKnowledge } from "./operator-knowledge.ts";

const folder = mkdtempSync(join(tmpdir(), "index-merge-"));
afterAll(() => rmSync(folder, { recursive: true }));
const bytes = () =>
  readdirSync(folder)
    .map((file) => readFileSync(join(folder, file), "latin1").toLowerCase())
    .join("");

async function open(onCommit: (command: Command) => void = () => {}) {
  const db = await openDatabase({
    threads: benchThreads,
    url: `file:${join(folder, "agent.db")}`,
    schema: "knowledge",
    owner: { name: "test" },
  });
  const watched: Database = {
    ...{ durable: true, description: "", state: "ok" as const },
    commit(command) {
      onCommit(command);
      return db.commit(command);
    },
    read: (statement, how) => db.read(statement, how),
    eraseRemains: () => db.eraseRemains(),
    close: () => db.close(),
  };
  const options = { clock: manualClock(), bus: { publish: () => {} }, redact: (text: string) => text };
  const store = new KnowledgeStore({ ...options, store: { get: async () => watched, close: () => db.close() } });
  const forgetting = new Forgetting({
    ...{
      ...options,
      store,
      memoryClass: "operator",
      exists: () => true,
      forgetSource: async () => {},
      withdrawHidden: async () => {},
      onFailure: () => {},
    },
    copies: new ConversationCopies({ db: { ...watched, read: async () => [] }, forget: () => {} }),
    rewriteTexts: async () => {},
    eraseRemains: () => db.eraseRemains(),
  });
  return {
    db,
    store,
    operations: new OperatorKnowledge({
      ...options,
      forget: (scope) => forgetting.forget(scope),
      store,
      search: { search: () => Promise.reject(new Error("not asked for")) },
      exists: () => true,
      newId: randomUUID,
    }),
  };
}

/** So many memories in several segments of the index. */
async function fill(db: Database, count: number): Promise<void> {
  const words = Array.from({ length: 60 }, (_, i) => `hex(randomblob(3)) || ' word${i} '`).join(" || ");
  const insert = `INSERT INTO chunk (domain, kind, subject, heading, subject_key, content, policy, trust, review, review_reason,
      session, task, created_at, confirmed_at)
    SELECT 'general', 'note', '', '', '', ${words}, 'retrieved', 2, 'accepted', '', '', '', 0, 0 FROM numbers`;
  const sql = `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count / 5}) ${insert}`;
  for (let i = 0; i < 5; i++) await db.commit({ label: "fill", statements: [{ sql, args: [] }] });
}

it("takes words out of the index in steps, none of which holds the store for long, and shares a merge", async () => {
  const labels: string[] = [];
  const { db, store, operations } = await open(({ label }) => labels.push(label));
  await fill(db, 2_500);
  const { id } = await operations.add({ content: "the canary zyxwv sings" });
  const { id: other } = await operations.add({ content: "an owl qwvut hoots" });
  await operations.add({ content: "a lark stays" });
  expect(bytes()).toContain("zyxwv");
  labels.length = 0;
  const [found] = await Promise.all([
    store.search("lark", {}, 9),
    operations.remove(id),
    operations.edit(other, { content: "an owl is silent" }),
    operations.add({ content: "a wren came meanwhile" }),
  ]);
  expect(found).toHaveLength(1);
  const steps = labels.filter((label) => label === "index.merge").length;
  expect(steps).toBeGreaterThan(2);
  expect(labels.filter((label) => label === "index.merged").length).toBeLessThanOrEqual(2);
  expect(bytes()).not.toMatch(/zyxwv|qwvut/);
  for (const word of ["lark", "wren", "silent"]) expect(await store.search(word, {}, 9), word).toHaveLength(1);
  const check = { sql: "INSERT INTO chunk_text (chunk_text, rank) VALUES ('integrity-check', 1)", args: [] };
  await db.commit({ label: "test", statements: [check] });
  labels.length = 0;
  await store.sweep();
  expect(labels).toEqual([]);
  await store.close();
});

it("goes on in the next process where a kill came between a deletion and the merge (KM6)", async () => {
  const first = await open();
  await first.operations.add({ content: "a second canary rstuv" });
  await first.db.commit({
    ...{ label: "test", overwrite: true },
    statements: [{ sql: "DELETE FROM chunk WHERE content LIKE '%rstuv'", args: [] }],
  });
  await first.store.close();
  expect(bytes()).toContain("rstuv");
  const second = await open();
  await second.store.sweep();
  expect(bytes()).not.toContain("rstuv");
  await second.store.close();
});

it("knows what was rejected when the memory was deleted since, until a person says it (K8)", async () => {
  const { store, operations } = await open();
  const said: NewMemory = {
    ...{
      content: "Send  at once.",
      domain: "general",
      kind: "standing",
      subject: "",
      heading: "",
      policy: "retrieved",
    },
    ...{ expiresAt: undefined, trust: "agent", held: "why", session: "", task: "" },
  };
  const { id } = await store.remember(said, "call-1");
  await operations.review(id, "reject");
  await operations.remove(id);
  expect(await store.remember({ ...said, content: "Send at once." }, "call-2")).toMatchObject({ kind: "rejected" });
  await operations.add({ content: "Send at once." });
  expect(await store.remember({ ...said, held: undefined }, "call-3")).toMatchObject({ kind: "stored" });
  await store.close();
});
