/** What of a summary that was removed is left in its index (K11). */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { type Database, openDatabase } from "../database/index.ts";
import { benchThreads } from "../database-bench.ts";
import { manualClock } from "../testing/manual-clock.ts";
import type { SessionSummary } from "./session-summary.ts";
import { Summaries } from "./summaries.ts";
import { SummaryFolder } from "./summary-folder.ts";
import { SummaryIndex } from "./summary-index.ts";

const folder = mkdtempSync(join(tmpdir(), "summary-index-"));
afterAll(() => rmSync(folder, { recursive: true }));
const bytes = () =>
  readdirSync(folder)
    .filter((file) => file.startsWith("summaries.db"))
    .map((file) => readFileSync(join(folder, file), "latin1"))
    .join("");

/** `dies`: the process ends before a commit with this label. */
async function open(dies?: string) {
  const db = await openDatabase({
    threads: benchThreads,
    url: `file:${join(folder, "summaries.db")}`,
    schema: "memory",
    owner: { name: "test" },
  });
  const watched: Database = {
    ...{ durable: true, description: "", state: "ok" as const },
    commit: async (command) => {
      if (command.label === dies) throw new Error("the process ended");
      return db.commit(command);
    },
    read: (statement, how) => db.read(statement, how),
    eraseRemains: () => db.eraseRemains(),
    close: () => db.close(),
  };
  const index = new SummaryIndex({ get: async () => watched, close: () => db.close() });
  const summaries = new Summaries({
    ...{
      index,
      folder: new SummaryFolder(
        () => folder,
        () => {},
      ),
      clock: manualClock(0),
      exists: () => true,
    },
    ...{ writes: () => true, current: async () => {}, traceOf: () => null, redact: (text: string) => text },
    ...{ onChange: () => {}, onFailure: () => {} },
    sources: { read: async () => undefined, changedSince: async () => [] },
  });
  return { index, summaries };
}

const summaryOf = (session_id: string, text: string) =>
  ({
    ...{ session_id, timestamp: new Date(0).toISOString(), surface: "chat", topic: text, message_count: 1 },
    ...{ outside: false, messages: [{ role: "user", text, at: new Date(0).toISOString() }], tools: [], final: "" },
  }) as unknown as SessionSummary;

it.each(["index.rebuild", "index.merged"])(
  "holds no word of one whose removal was cut off before %s, once it is asked for again",
  async (dies) => {
    const word = `quokka${dies.replace(/\W/g, "")}`;
    const before = await open(dies);
    await before.index.write([{ summary: summaryOf("one", word), bytes: 1 }], 0);
    await before.index.write([{ summary: summaryOf(`two-${dies}`, "something else"), bytes: 1 }], 0);
    await expect(before.summaries.remove("one")).rejects.toThrow("the process ended");
    await before.summaries.close();
    const after = await open();
    expect(await after.index.find("one")).toBeUndefined();
    await after.summaries.remove("one");
    await after.summaries.close();
    expect(bytes()).not.toContain(word);
    expect(bytes()).toContain("something else");
  },
);
