/** A knowledge store whose disk is full (K1, EN10): it refuses what does not fit, and answers, corrects and forgets what it has. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { openDatabase } from "../database/index.ts";
import { benchThreads } from "../database-bench.ts";
import { manualClock } from "../testing/manual-clock.ts";
import { KnowledgeStore } from "./knowledge-store.ts";

const folder = mkdtempSync(join(tmpdir(), "full-disk-"));
afterAll(() => rmSync(folder, { recursive: true }));

async function open(published: unknown[], maxBytes?: number) {
  const url = `file:${join(folder, "agent.db")}`;
  const db = await openDatabase({ url, schema: "knowledge", owner: { name: "test" }, maxBytes, threads: benchThreads });
  const store = new KnowledgeStore({
    ...{
      clock: manualClock(),
      redact: (text: string) => text,
      store: { get: async () => db, close: () => db.close() },
    },
    bus: { publish: (_, data) => void published.push(data) },
  });
  const remember = (number: number) =>
    store.remember(
      {
        ...{ content: `Heron ${number}. ${"nest ".repeat(1_000)}`, domain: "birds", kind: "note", subject: "" },
        ...{ heading: "", policy: "retrieved", trust: "agent", held: undefined, expiresAt: undefined },
        ...{ session: "s", task: "t" },
      },
      `call-${number}`,
    );
  const counts = async () => [(await store.stats()).total, (await store.list({}, 1_000)).length, published.length];
  return { db, store, remember, counts };
}

it("refuses a memory that does not fit, keeps and finds what it has, and goes on when there is room", async () => {
  const published: unknown[] = [];
  const full = await open(published, 1_500_000);
  let stored = 0;
  const fill = async (): Promise<void> => {
    for (; stored < 1_000; stored++) await full.remember(stored);
  };
  await expect(fill()).rejects.toMatchObject({ code: "full" });
  expect(stored).toBeGreaterThan(10);
  const before = await full.counts();
  expect(before).toEqual([stored, stored, stored]);
  // The same call again is neither carried out nor taken for done.
  await expect(full.remember(stored)).rejects.toMatchObject({ code: "full" });
  expect(await full.counts()).toEqual(before);
  expect(await full.store.search("heron", {}, 5)).toHaveLength(5);
  await full.store.close();

  const { db, store, remember, counts } = await open(published);
  expect(await remember(stored)).toMatchObject({ kind: "stored" });
  expect(await counts()).toEqual(before.map((one) => one + 1));
  expect(await db.read({ sql: "PRAGMA integrity_check", args: [] })).toEqual([["ok"]]);
  await store.close();
});
