import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openDatabase } from "../database/index.ts";
import { benchThreads } from "../database-bench.ts";
import type { JsonObject } from "../json/index.ts";
import { manualClock } from "../testing/manual-clock.ts";
import type { NewMemory } from "./chunk.ts";
import { KnowledgeStore } from "./knowledge-store.ts";

const DAY = 86_400_000;
const folder = mkdtempSync(join(tmpdir(), "knowledge-"));
afterAll(() => rmSync(folder, { recursive: true }));

async function scene(url = ":memory:") {
  const db = await openDatabase({ url, schema: "knowledge", owner: { name: "test" }, threads: benchThreads });
  const clock = manualClock(DAY);
  const published: JsonObject[] = [];
  const bus = { publish: (topic: string, data: JsonObject) => void published.push({ topic, ...data }) };
  const lazy = { get: async () => db, close: () => db.close() };
  const redact = (text: string) => text.replaceAll("hunter2", "[redacted]");
  return { db, clock, published, store: new KnowledgeStore({ store: lazy, clock, bus, redact }) };
}

const memory = (content: string, more: Partial<NewMemory> = {}): NewMemory => ({
  ...{ content, domain: "general", kind: "note", subject: "", heading: "", policy: "retrieved", expiresAt: undefined },
  ...{ trust: "agent", held: undefined, session: "s", task: "t", ...more },
});

let numbered = 0;
const call = (): string => `call-${++numbered}`;

describe("the knowledge store", () => {
  let all: Awaited<ReturnType<typeof scene>>;
  beforeAll(async () => {
    all = await scene();
  });
  afterAll(() => all.store.close());

  it("remembers once for a call, however often it is made, and returns the same (KM1)", async () => {
    const { store, published } = all;
    const said = memory("once", { subject: "a", policy: "always" });
    const made = await Promise.all([1, 2, 3].map(() => store.remember(said, "one-call")));
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
    expect(made[2]).toEqual({ id: made[0]?.id, domain: "general", kind: "stored" });
    expect(await store.remember({ ...said, content: "other" }, "one-call")).toEqual(made[0]);
    expect(await store.list({}, 9)).toMatchObject([{ content: "once", policy: "always", trust: "agent" }]);
    expect(published.filter(({ topic }) => topic === "memory.hot_written")).toEqual([
      { topic: "memory.hot_written", chunk_id: made[0]?.id, source: "s", source_type: "tool", preview: "once" },
    ]);
  });

  it("replaces what stands at the same subject, whatever its case, width and spaces (K7, KM4)", async () => {
    const { store } = all;
    const first = await store.remember(memory("Black coffee", { subject: "Coffee  order", domain: "Likes" }), call());
    const again = memory("Black  coffee ", { subject: "ｃoffee order", domain: "likes" });
    expect(await store.remember(again, call())).toMatchObject({ kind: "confirmed", id: first.id });
    const second = await store.remember(memory("Oat coffee", { heading: "coffee order", domain: "LIKES" }), call());
    expect(second).toMatchObject({ kind: "stored", replaces: first.id, domain: "likes" });
    expect((await store.search("coffee", {}, 9)).map(({ id }) => id)).toEqual([second.id]);
    const history = await store.search("coffee", { includeSuperseded: true }, 9);
    expect(history.find(({ id }) => id === first.id)?.supersededBy).toBe(second.id);
    for (const other of [memory("x", { subject: "coffee order", domain: "likes", kind: "fact" }), memory("Oat coffee")])
      expect((await store.remember(other, call())).replaces).toBeUndefined();
  });

  it("never replaces what the operator wrote: other words wait, and name it (K7)", async () => {
    const { store, published } = all;
    const own = await store.remember(memory("Berlin", { subject: "home", trust: "operator" }), call());
    const other = await store.remember(memory("Paris", { subject: "home" }), call());
    expect(other).toMatchObject({ kind: "pending", why: `it contradicts ${own.id}, which the operator wrote` });
    expect(await store.remember(memory("Paris", { subject: "home" }), call())).toEqual(other);
    expect((await store.search("Paris Berlin", {}, 9)).map(({ content }) => content)).toEqual(["Berlin"]);
    expect(await store.list({ review: "pending" }, 9)).toMatchObject([{ id: other.id, contradicts: own.id }]);
    expect(published.at(-1)).toEqual({ topic: "memory.review_requested", id: other.id });
    // The operator's own row does not expire because the agent says so.
    await store.remember(memory("Berlin", { subject: "home", expiresAt: 2 * DAY }), call());
    expect((await store.find(own.id))?.expiresAt).toBeUndefined();
  });

  it("finds nothing that expired, and lets it be said again", async () => {
    const { store, clock } = all;
    const short = memory("Umbrella on Tuesday", { subject: "rain", expiresAt: clock.now() + DAY });
    const { id } = await store.remember(short, call());
    expect(await store.search("umbrella", {}, 9)).toHaveLength(1);
    await clock.advance(DAY);
    expect(await store.search("umbrella", { includeSuperseded: true }, 9)).toEqual([]);
    const again = await store.remember({ ...short, expiresAt: undefined }, call());
    expect(again).toMatchObject({ kind: "stored" });
    expect(again.id).toBeGreaterThan(id);
  });

  it("stores no secret, and no text that a store cannot hold", async () => {
    const { store } = all;
    const { id } = await store.remember(memory("hunter2 \ud800 a\0b", { subject: "hunter2" }), call());
    expect(await store.find(id)).toMatchObject({ content: "[redacted] \ufffd a\ufffdb", subject: "[redacted]" });
  });

  it("counts by domain, and what waits", async () => {
    const { store } = all;
    expect(await store.stats()).toEqual({ domains: { general: 5, likes: 2 }, total: 7, pending: 1 });
  });
});

it("forgets once for a call, gives no id twice, and deletes every byte a day later", async () => {
  const path = join(folder, "agent.db");
  const { store, clock, db } = await scene(`file:${path}`);
  const { id } = await store.remember(memory("the canary zyxwv sings", { subject: "canary zyxwv" }), call());
  await store.remember(memory("stays"), call());
  const bytes = () =>
    readdirSync(folder)
      .map((file) => readFileSync(join(folder, file), "latin1").toLowerCase())
      .join("");
  expect(bytes()).toContain("zyxwv");
  await store.forget(id, "wrong", "forget-it");
  await store.forget(id, "wrong", "forget-it");
  await expect(store.forget(id, "", call())).rejects.toMatchObject({ code: "unknown_chunk" });
  expect([await store.search("zyxwv", { includeSuperseded: true }, 9), await store.find(id)]).toEqual([[], undefined]);
  await store.sweep();
  expect(bytes()).toContain("zyxwv");
  await clock.advance(DAY + 1);
  await store.sweep();
  expect(bytes()).not.toContain("zyxwv");
  expect(bytes()).toContain("stays");
  expect((await store.remember(memory("new"), call())).id).toBe(3);
  const check = { sql: "INSERT INTO chunk_text (chunk_text, rank) VALUES ('integrity-check', 1)", args: [] };
  await db.commit({ label: "test", statements: [check] });
  expect(await db.read({ sql: "SELECT chunks FROM chunk_count", args: [] })).toEqual([[2]]);
  await store.close();
});

it("keeps one accepted memory at each subject, the last that was said, whatever happens", async () => {
  const write = fc.record({
    what: fc.constant("write" as const),
    subject: fc.constantFrom("a", "b"),
    content: fc.constantFrom("x", "y", "z"),
    trust: fc.constantFrom("agent" as const, "operator" as const, "outside" as const),
    held: fc.constantFrom(undefined, "why"),
  });
  const forget = fc.record({ what: fc.constant("forget" as const), subject: fc.constantFrom("a", "b") });
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(write, write, forget), { maxLength: 12 }), async (steps) => {
      const { store } = await scene();
      const model = new Map<string, { content: string; trust: string }>();
      for (const step of steps) {
        const standing = model.get(step.subject);
        if (step.what === "forget") {
          const [found] = (await store.list({}, 9)).filter(({ subject }) => subject === step.subject);
          if (found !== undefined) await store.forget(found.id, "", call());
          model.delete(step.subject);
          continue;
        }
        const { content, trust, held } = step;
        const done = await store.remember(memory(content, { subject: step.subject, trust, held }), call());
        const same = standing?.content === content;
        const waits = held !== undefined || (standing?.trust === "operator" && trust !== "operator");
        expect(done.kind).toBe(same ? "confirmed" : waits ? "pending" : "stored");
        if (!same && !waits) model.set(step.subject, { content, trust });
      }
      const live = (await store.list({}, 20)).map(
        ({ subject, content, trust }) => [subject, { content, trust }] as const,
      );
      expect([live.length, new Map(live)]).toEqual([model.size, model]);
      await store.close();
    }),
    { numRuns: 25 },
  );
});
