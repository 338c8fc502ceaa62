/** What turns are shown of the agent's memory (K17 to K19; KM2, KM4). */
import fc from "fast-check";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { type Database, openDatabase } from "../database/index.ts";
import { benchThreads } from "../database-bench.ts";
import { manualClock } from "../testing/manual-clock.ts";
import type { NewMemory } from "./chunk.ts";
import { KnowledgeStore } from "./knowledge-store.ts";
import { Recall, type RecallQuery, type RecallSettings } from "./recall.ts";

const DAY = 86_400_000;
const clock = manualClock(Date.parse("2026-07-01"));
let db: Database;
let store: KnowledgeStore;
let recall: Recall;
let settings: RecallSettings;
let failures: unknown[];
let reads: number;
/** Held: the store opens when it resolves. */
let opening: Promise<unknown>;
let calls = 0;

beforeEach(async () => {
  await db?.close();
  db = await openDatabase({ url: ":memory:", schema: "knowledge", owner: { name: "test" }, threads: benchThreads });
  settings = { enabled: true, topK: 5, budgetPct: 8, timeoutMs: 250 };
  [failures, reads, opening] = [[], 0, Promise.resolve()];
  const lazy = {
    async get() {
      reads++;
      await opening;
      return db;
    },
    close: async () => {},
  };
  const bus = { publish: () => recall.noteWrite() };
  store = new KnowledgeStore({ store: lazy, clock, bus, redact: (text) => text });
  recall = new Recall({
    ...{ store: lazy, exists: () => true, clock, settings: () => settings },
    onFailure: (error) => failures.push(error),
  });
});
afterAll(() => db.close());

const memory = (content: string, more: Partial<NewMemory> = {}): NewMemory => ({
  ...{ content, domain: "general", kind: "note", subject: "", heading: "", policy: "retrieved" },
  ...{ expiresAt: undefined, trust: "agent", held: undefined, session: "s", task: "t", ...more },
});
const remember = (content: string, more: Partial<NewMemory> = {}) =>
  store.remember(memory(content, more), `call-${++calls}`);
const ask = (text: string, more: Partial<RecallQuery> = {}) =>
  recall.recall({ text, inSight: new Set(), windowTokens: 80_000, ...more });
const shown = async (text: string, more: Partial<RecallQuery> = {}) =>
  (await ask(text, more))?.record.items.map(({ chunk }) => chunk) ?? [];

describe("recall", () => {
  it("shows earlier conversations at once where nothing is remembered, and reads nothing for it", async () => {
    await ask("hello");
    const before = reads;
    recall.usePriorSessions(() => [{ session: "a", line: "session a", outside: true }]);
    const [first, second] = [ask("hello"), ask("hello")];
    expect(first).toMatchObject({
      refs: ["session:a"],
      outside: true,
      record: { mode: "none", sessions: ["a"], ms: 0 },
    });
    expect((first as { text: string }).text).toContain("Earlier conversations:\nsession a\n---");
    const fenceOf = (found: unknown) => /--- [0-9a-f]{12} ---/.exec((found as { text: string }).text)![0];
    expect(fenceOf(first)).not.toBe(fenceOf(second));
    expect(ask("hello", { inSight: new Set(["session:a"]) })).toBeUndefined();
    recall.usePriorSessions(() => []);
    expect(ask("hello")).toBeUndefined();
    expect(reads).toBe(before);
    await remember("The printer is on floor two.");
    expect(ask("hello")).toBeInstanceOf(Promise);
  });

  it("shows always-on memories and what fits, each with its number, between two lines of one random word", async () => {
    await remember("Answer briefly.", { domain: "hot" });
    await remember("Black, no sugar.", { subject: "coffee", domain: "preferences" });
    await remember("The printer is on floor two.");
    const found = await ask("How do they take their coffee?");
    const [fence] = /--- [0-9a-f]{12} ---/.exec(found!.text)!;
    expect(found!.text.split("\n").slice(1)).toEqual([
      fence,
      "In every conversation:",
      "#1 [hot · 2026-07-01 · agent] Answer briefly.",
      "Found for this message:",
      "#2 [preferences · 2026-07-01 · agent] coffee: Black, no sugar.",
      fence,
    ]);
    expect(found!.refs).toEqual(["1:1", "2:1"]);
    expect(found!.record).toMatchObject({
      ...{ mode: "keyword", leftOut: [], chars: found!.text.length },
      items: [
        { chunk: 1, revision: 1, kind: "always" },
        { chunk: 2, revision: 1, kind: "hit", rank: 1, words: 1, trust: "agent" },
      ],
    });
    expect(JSON.stringify(found!.record)).not.toContain("sugar");
    expect((await ask("coffee"))!.text).not.toContain(fence);
  });

  it("shows nothing that is superseded, expired, waiting, forgotten, or only for who asks (KM4)", async () => {
    await remember("Coffee: black.", { subject: "coffee" });
    await remember("Coffee: with milk.", { subject: "coffee" });
    await remember("Coffee machine: rented.", { expiresAt: clock.now() + DAY });
    await remember("Coffee is bad: from a page.", { held: "from outside" });
    await remember("Coffee beans: in the cellar.", { policy: "on_demand" });
    await remember("Coffee cups: blue.");
    await store.forget(6, "", "forget");
    expect(await shown("coffee")).toEqual([2, 3]);
    await clock.advance(DAY);
    expect(await shown("coffee")).toEqual([2]);
  });

  it("leaves out what is in sight, says the same, fits too little or has no room, and says so (K17, K18)", async () => {
    for (const [i, word] of ["a", "b", "c", "d", "e"].entries())
      await remember(`Deploy note ${word}: ${"x".repeat(i * 10)}.`);
    await remember("deploy NOTE a:  .", { domain: "other" });
    await remember("Unrelated deploy thing.");
    const found = await ask("deploy note", { inSight: new Set(["2:1"]) });
    const { leftOut } = found!.record;
    expect(leftOut).toContainEqual({ chunk: 2, reason: "in_sight" });
    expect(leftOut).toContainEqual({ chunk: 7, reason: "floor" });
    expect(leftOut.filter(({ reason }) => reason === "duplicate").map(({ chunk }) => [1, 6].includes(chunk))).toEqual([
      true,
    ]);
    settings = { ...settings, topK: 2 };
    const fewer = await ask("deploy note");
    expect(fewer!.record.items).toHaveLength(2);
    expect(fewer!.record.leftOut.map(({ reason }) => reason)).toContain("budget");
    settings = { ...settings, topK: -1 };
    expect(await ask("deploy note")).toBeUndefined();
  });

  it("asks of a memory that it has a good share of one sentence, its rare words counting most", async () => {
    for (let at = 0; at < 60; at++) await remember(`Note ${at}: the till was closed and the van was washed.`);
    await remember("Piet drives the van to the island of Föhr on Sundays.");
    const wordy = "I am packing my bag, and it rains all the time here. Who drives the van to the island?";
    expect(await shown(wordy)).toEqual([61]);
    expect(await shown("Explain why an island like Iceland has so many active volcanoes and geysers.")).toEqual([]);
    expect(await shown("A story of a van, washed and closed like a till, beside castles, dragons, knights")).toEqual(
      [],
    );
  });

  it("shows nothing that is only alike where the message names what no memory names", async () => {
    await remember("OPS-4107: the till answered ERR_42-a.");
    await remember("OPS-4108: the till answered ERR_42-b.");
    expect(await shown("What about ERR_42-b?")).toEqual([2]);
    expect(await shown("What about ERR_42-z?")).toEqual([]);
  });

  it("shows an edit again although its former text is in sight", async () => {
    await remember("Tea at four.");
    await db.commit({ label: "test", statements: [{ sql: "UPDATE chunk SET revision = 2 WHERE id = 1", args: [] }] });
    expect((await ask("tea", { inSight: new Set(["1:1"]) }))!.refs).toEqual(["1:2"]);
  });

  it("keeps hits within a share of the window of at least 16,000 characters, always-on within 6,000 (K18)", async () => {
    for (let i = 0; i < 12; i++) await remember(`garden ${i} ${"y".repeat(1_980)}`);
    for (let i = 0; i < 5; i++) await remember(`${i} ${"z".repeat(1_900)}`, { policy: "always" });
    settings = { ...settings, topK: 100 };
    const kinds = async (windowTokens: number) => {
      const { items } = (await ask("garden", { windowTokens }))!.record;
      return ["always", "hit"].map((kind) => items.filter((item) => item.kind === kind).length);
    };
    expect(await kinds(1_000)).toEqual([3, 7]);
    expect(await kinds(70_000)).toEqual([3, 11]);
    settings = { ...settings, budgetPct: 0 };
    expect(await kinds(1_000)).toEqual([3, 12]);
  });

  it("prefers what is trusted more, and reads a store that is known to be empty no more", async () => {
    expect(await ask("anything")).toBeUndefined();
    const before = reads;
    expect(ask("anything")).toBeUndefined();
    expect(reads).toBe(before);
    await remember("Wifi password hint: outside says so.", { trust: "outside" });
    await remember("Wifi password hint: the operator says so.", { trust: "operator" });
    expect(await shown("wifi password hint")).toEqual([2, 1]);
    settings = { ...settings, enabled: false };
    expect(ask("wifi")).toBeUndefined();
  });

  it("waits no longer than its time, and a store that fails costs nothing but memory (K19, KM2)", async () => {
    await remember("Slow memory.");
    const gate = Promise.withResolvers<unknown>();
    opening = gate.promise;
    const late = ask("memory");
    await clock.advance(249);
    const early = await Promise.race([late, Promise.resolve("waiting")]);
    await clock.advance(1);
    expect(early).toBe("waiting");
    expect(await late).toMatchObject({ text: "", refs: [], record: { items: [], late: true, ms: 250, mode: "none" } });
    gate.resolve(undefined);
    opening = Promise.reject(new Error("no disk"));
    opening.catch(() => {});
    expect(await ask("memory")).toBeUndefined();
    expect(failures).toEqual([new Error("no disk")]);
    expect(clock.pending()).toBe(0);
  });

  it("takes any message: no operator of the index reaches it", async () => {
    await remember("Plain words about ferns.");
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string({ unit: "grapheme", maxLength: 60 }),
          fc.constantFrom('" OR *', "NEAR(", "a:b", "\0", "\ud800"),
        ),
        async (text) => {
          const found = await ask(`${text} ferns`);
          expect(found === undefined || found.record.items.length <= 5).toBe(true);
          expect(failures).toEqual([]);
        },
      ),
      { numRuns: 60 },
    );
  });
});
