/** Removals of the knowledge store that a process did not live to end: the next one leaves no byte of them (K11, KM11). */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { type Failpoints, openDatabase, withFailpoints } from "../database/index.ts";
import { benchThreads } from "../database-bench.ts";
import { manualClock } from "../testing/manual-clock.ts";
import { KnowledgeStore } from "./knowledge-store.ts";
import { SourceStore } from "./sources/source-store.ts";

const root = mkdtempSync(join(tmpdir(), "removal-cut-off-"));
afterAll(() => rmSync(root, { recursive: true }));

const DAY_MS = 86_400_000;
const clock = manualClock();

/** Ends every commit from the moment `name` on, as the end of the process would. */
function endAt(name: string): Failpoints {
  let isOver = false;
  return {
    hit(at) {
      isOver ||= at === name;
      if (isOver) throw new Error("the process has ended");
    },
  };
}

async function open(folder: string, failpoints: Failpoints = { hit: () => {} }) {
  const url = `file:${join(folder, "knowledge.db")}`;
  const db = withFailpoints(
    await openDatabase({ url, schema: "knowledge", owner: { name: "test" }, threads: benchThreads }),
    failpoints,
  );
  const store = { get: async () => db, close: () => db.close() };
  const memories = new KnowledgeStore({ store, clock, redact: (text) => text, bus: { publish: () => {} } });
  const documents = new SourceStore({ alone: (work) => work(db), get: async () => db, clock });
  return { memories, documents, close: () => memories.close() };
}

function filesWith(folder: string, word: string): string[] {
  return readdirSync(folder).filter((name) => readFileSync(join(folder, name)).includes(word));
}

const sides = ["before", "after"] as const;

it.each(sides)("deletes what was removed a day ago though the process ended right %s its commit", async (side) => {
  const folder = mkdtempSync(join(root, "purge-"));
  const first = await open(folder, endAt(`knowledge.purge:${side}`));
  const { id } = await first.memories.remember(
    {
      ...{ content: "The heronry is flooded.", domain: "general", kind: "note", subject: "", heading: "" },
      ...{ policy: "retrieved", trust: "operator", held: undefined, expiresAt: undefined, session: "", task: "" },
    },
    "call-1",
  );
  await first.memories.forget(id, "", "call-2");
  await clock.advance(DAY_MS + 1);
  await expect(first.memories.sweep()).rejects.toThrow("the process has ended");
  await first.close();
  const next = await open(folder);
  await next.memories.sweep();
  await next.close();
  expect(filesWith(folder, "heronry")).toEqual([]);
});

it.each(sides)("drops the bytes of a document that was read though the process ended right %s that", async (side) => {
  const folder = mkdtempSync(join(root, "parts-"));
  const first = await open(folder, endAt(`knowledge.dropParts:${side}`));
  const { source } = await first.documents.receive(
    {
      ...{ bytes: new TextEncoder().encode("Water the ferns."), uri: "", name: "", mediaType: "", domain: "general" },
      ...{ namespace: "", title: "", held: "", session: "", task: "" },
    },
    "digest",
  );
  await expect(first.documents.fail(source.id, "unreadable", "no text")).rejects.toThrow("the process has ended");
  await first.close();
  const next = await open(folder);
  await next.documents.recover();
  expect(await next.documents.rows.find(source.id)).toMatchObject({ state: "failed" });
  await next.close();
  expect(filesWith(folder, "ferns")).toEqual([]);
});
