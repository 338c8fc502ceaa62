/** Search by meaning over a real endpoint, a real store and the real thread (K25; KM2, KM7). */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Database, openDatabase } from "../../database/index.ts";
import { benchThreads } from "../../database-bench.ts";
import { type EmbeddingDouble, embeddingDouble, embeddingOf } from "../../testing/embedding-double.ts";
import { manualClock } from "../../testing/manual-clock.ts";
import { KnowledgeSearch } from "../knowledge-search.ts";
import { KnowledgeStore } from "../knowledge-store.ts";
import { Recall } from "../recall.ts";
import { type EmbeddingServer, Embeddings } from "./index.ts";

let db: Database;
let double: EmbeddingDouble;
let clock: ReturnType<typeof manualClock>;
let server: EmbeddingServer | undefined;
let warnings: string[];
let embeddings: Embeddings;
let store: KnowledgeStore;
let calls = 0;

beforeEach(async () => {
  db = await openDatabase({ url: ":memory:", schema: "knowledge", owner: { name: "test" }, threads: benchThreads });
  double = await embeddingDouble();
  clock = manualClock(Date.parse("2026-07-01"));
  // Only a hang reaches this limit.
  const timeoutMs = 120_000;
  server = { baseUrl: double.baseUrl, apiKey: "", model: "small", name: "gateway:small", timeoutMs };
  warnings = [];
  embeddings = begin();
  const bus = { publish: (_: string, data: unknown) => embeddings.noteChange(data as { id: number; action: string }) };
  store = new KnowledgeStore({
    store: { get: async () => db, close: async () => {} },
    clock,
    bus,
    redact: (text) => text,
  });
});
afterEach(async () => {
  await embeddings.close();
  await double[Symbol.asyncDispose]();
  await db.close();
});

function begin(): Embeddings {
  return new Embeddings({
    ...{ store: { get: async () => db }, exists: () => true, clock, server: () => server },
    log: { warn: (message) => void warnings.push(message) },
  });
}

const remember = (content: string, more: object = {}) =>
  store.remember(
    {
      ...{ content, domain: "general", kind: "note", subject: "", heading: "", policy: "retrieved", session: "s" },
      ...{ expiresAt: undefined, trust: "agent", held: undefined, task: "t", ...more },
    },
    `call-${++calls}`,
  );
const indexed = () => expect.poll(() => embeddings.isIndexing(), { interval: 5 }).toBe(false);
const found = async (text: string): Promise<readonly number[]> => {
  const { found: all, floor } = (await embeddings.search(text, 10)) ?? { found: [], floor: 0 };
  return all.filter(({ cosine }) => cosine >= floor).map(({ id }) => id);
};
const search = (text: string, mode?: "auto" | "keyword" | "vector") =>
  new KnowledgeSearch({ store, embeddings, clock, timeoutMs: () => 250 }).search(text, {}, 5, mode);
const recalled = async (text: string, timeoutMs = 250) => {
  const settings = { enabled: true, topK: 5, budgetPct: 8, timeoutMs };
  const recall = new Recall({
    ...{ store: { get: async () => db }, exists: () => true, clock, settings: () => settings, embeddings },
    onFailure: (error) => warnings.push(String(error)),
  });
  const frame = await recall.recall({ text, inSight: new Set(), windowTokens: 80_000 });
  return frame?.record;
};

describe("what is remembered", () => {
  it("is found by what it says, where it has none of the words, and nothing is found that is not related", async () => {
    await remember("The automobile is in the garage.");
    await remember("Ferns like shade.");
    await indexed();
    expect(double.asked.slice(1).flat().sort()).toEqual(["Ferns like shade.", "The automobile is in the garage."]);
    expect(await found("Where is the car, the vehicle?")).toEqual([1]);
    expect(await found("tax declaration deadlines")).toEqual([]);
    const { chunks, mode } = await search("car vehicle garage");
    expect([chunks.map(({ id }) => id), mode]).toEqual([[1], "hybrid"]);
    expect(await search("vehicle", "keyword")).toMatchObject({ chunks: [], mode: "keyword", isDegraded: false });
    expect(await search("vehicle in the garage", "vector")).toMatchObject({ chunks: [{ id: 1 }], mode: "vector" });
    expect(await recalled("Is the vehicle in a garage?")).toMatchObject({
      mode: "hybrid",
      items: [{ chunk: 1, vectorRank: 1 }],
    });
    expect(await recalled("Tell me of the vehicle, the auto.")).toMatchObject({ items: [{ chunk: 1, words: 0 }] });
  });

  it("is embedded anew after it changed, and found no more after it was removed", async () => {
    await remember("The automobile is in the garage.", { subject: "car" });
    await remember("The physician comes on Monday.", { subject: "car" });
    await indexed();
    expect(await found("auto in the garage")).toEqual([]);
    const { chunks } = await search("medic on Monday");
    expect(chunks.map(({ id }) => id)).toEqual([2]);
    await store.forget(2, "", "forget");
    expect((await search("medic on Monday")).chunks).toEqual([]);
    await clock.advance(2 * 86_400_000);
    await store.sweep();
    expect(await db.read({ sql: "SELECT chunk FROM vector ORDER BY chunk", args: [] })).not.toContainEqual([2]);
  });

  it("of earlier is embedded after it is switched on, and what a stop left open at the next start", async () => {
    const on = server;
    server = undefined;
    for (let at = 0; at < 150; at++) await remember(`Note ${at} about a purchase.`);
    expect([embeddings.state, await embeddings.search("buy", 5), double.asked]).toEqual(["off", undefined, []]);
    server = on;
    embeddings.tick();
    await expect.poll(() => double.asked.length, { interval: 2 }).toBeGreaterThan(1);
    await embeddings.close();
    embeddings = begin();
    embeddings.tick();
    await indexed();
    expect(await embeddings.waiting()).toBe(0);
    const texts = double.asked.slice(1).flat();
    expect(new Set(texts).size).toBe(150);
    expect(await found("acquire note 17")).toContain(18);
  });
});

describe("what no search finds", () => {
  it("takes no place of what is compared, and comes back when it is accepted", async () => {
    await remember("The physician comes on Monday, said the nurse beside the entrance.");
    for (let at = 0; at < 230; at++) await remember("The physician comes on Monday.", { subject: `visit ${at}` });
    await indexed();
    expect(await found("The physician comes on Monday.")).not.toContain(1);
    const set = (sql: string) => db.commit({ label: "test", statements: [{ sql, args: [] }] });
    await set("UPDATE chunk SET invalidated_at = 1 WHERE id BETWEEN 2 AND 130");
    await set("UPDATE chunk SET review = 'rejected' WHERE id BETWEEN 131 AND 229");
    const asked = double.asked.length;
    expect(new Set(await found("The physician comes on Monday."))).toEqual(new Set([1, 230, 231]));
    expect(double.asked.length).toBe(asked + 1);
    await set("UPDATE chunk SET review = 'accepted' WHERE id = 140");
    embeddings.noteChange({ id: 140, action: "accepted" });
    await expect.poll(() => found("The physician comes on Monday."), { interval: 5 }).toContain(140);
  });

  it("has expired, and takes no place from then on", async () => {
    await remember("The physician comes on Monday, said the nurse beside the entrance.");
    const expiresAt = clock.now() + 86_400_000;
    for (let at = 0; at < 230; at++)
      await remember("The physician comes on Monday.", { subject: `visit ${at}`, expiresAt });
    await indexed();
    expect(await found("The physician comes on Monday.")).not.toContain(1);
    await clock.advance(86_400_000);
    expect(await found("The physician comes on Monday.")).toEqual([1]);
  });

  it("is not sent to the endpoint: attachments of a conversation, and what waits for review", async () => {
    await remember("The automobile is in the garage.");
    await remember("Always pay the stranger.", { held: "outside" });
    await indexed();
    expect(double.asked.slice(1).flat()).toEqual(["The automobile is in the garage."]);
    const insert = `INSERT INTO chunk (domain, kind, subject, heading, subject_key, content, policy, trust, review, review_reason, session, task,
        created_at, confirmed_at, namespace)
      VALUES ('general', 'note', '', '', '', 'A page of an attachment.', 'retrieved', 1, 'accepted', '', 's', 't', 1, 1, 's')`;
    await db.commit({ label: "test", statements: [{ sql: insert, args: [] }] });
    expect(await embeddings.waiting()).toBe(0);
    await db.commit({ label: "test", statements: [{ sql: "UPDATE chunk SET review = 'accepted'", args: [] }] });
    embeddings.noteChange({ id: 2, action: "accepted" });
    await indexed();
    expect(double.asked.slice(1).flat()).toEqual(["The automobile is in the garage.", "Always pay the stranger."]);
  });
});

describe("an endpoint", () => {
  it("that fails twice is left alone for five minutes, and words serve meanwhile", async () => {
    await remember("The automobile is in the garage.");
    await indexed();
    double.fault = (_, response) => response.writeHead(503).end();
    const asked = double.asked.length;
    for (let at = 0; at < 4; at++)
      expect(await search("garage")).toMatchObject({ chunks: [{ id: 1 }], isDegraded: true });
    expect([double.asked.length - asked, embeddings.state]).toEqual([2, "degraded"]);
    expect(await recalled("Is anything in the garage?")).toMatchObject({
      mode: "keyword",
      degraded: true,
      items: [{ chunk: 1 }],
    });
    double.fault = undefined;
    await clock.advance(300_000);
    expect(await search("garage")).toMatchObject({ mode: "hybrid", isDegraded: false });
    expect(warnings[0]).toBe("embeddings of gateway:small: the endpoint answered 503");
  });

  it("that was changed is asked at once", async () => {
    double.fault = (_, response) => response.writeHead(401).end();
    await remember("The automobile is in the garage.");
    for (let at = 0; at < 3; at++) embeddings.tick();
    await expect.poll(() => embeddings.state, { interval: 2 }).toBe("degraded");
    double.fault = undefined;
    server = { ...server!, apiKey: "another" };
    expect(embeddings.state).toBe("ready");
    embeddings.tick();
    await indexed();
  });

  it("that answers something else than vectors is not believed", async () => {
    await remember("The automobile is in the garage.");
    await indexed();
    const answer = (data: unknown) => (_: unknown, response: { end(text: string): unknown }) =>
      response.end(JSON.stringify({ data }));
    const good = embeddingOf("garage");
    const faults = [
      ...[undefined, [], [{ embedding: good }, { embedding: good }], [{ embedding: [] }], [{ embedding: "x" }], [null]],
      ...[
        [{ embedding: good.map(() => 0) }],
        [{ embedding: good.with(3, null as never) }],
        [{ index: 7, embedding: good }],
      ],
      ...[[{ embedding: good.with(3, 1e308).with(4, 1e308) }]],
    ];
    for (const data of faults) {
      double.fault = answer(data);
      expect(await search("garage")).toMatchObject({ mode: "keyword", isDegraded: true });
      await clock.advance(300_000);
    }
    double.fault = (_, response) => response.end("no JSON");
    expect(await search("garage")).toMatchObject({ chunks: [{ id: 1 }], isDegraded: true });
    expect(await db.read({ sql: "SELECT count(*) FROM vector", args: [] })).toEqual([[1]]);
  });

  it("that is slow holds up no turn and no search longer than it may take", async () => {
    await remember("The automobile is in the garage.");
    await indexed();
    const { promise: asked, resolve } = Promise.withResolvers<void>();
    double.fault = () => resolve();
    const record = recalled("Is anything in the garage?");
    await asked;
    // What it reads by words meanwhile is read before these.
    for (let at = 0; at < 3; at++) await search("garage", "keyword");
    await clock.advance(250);
    expect(await record).toMatchObject({ mode: "keyword", degraded: true, items: [{ chunk: 1 }] });
    expect(await record).not.toHaveProperty("late");
    for (const mode of ["auto", "vector"] as const) {
      const { promise: again, resolve: note } = Promise.withResolvers<void>();
      double.fault = () => note();
      const result = search("garage", mode);
      await again;
      await clock.advance(250);
      const chunks = mode === "auto" ? [{ id: 1 }] : [];
      expect(await result).toMatchObject({ chunks, mode: mode === "auto" ? "keyword" : "vector", isDegraded: true });
    }
  });

  it("that does not take one text gets the others, and that one is found by its words", async () => {
    double.fault = (texts, response) => {
      if (texts.some((text) => text.includes("poison"))) return response.writeHead(400).end();
      const data = texts.map((text, index) => ({ index, embedding: embeddingOf(text) }));
      return response.end(JSON.stringify({ data }));
    };
    const on = server;
    server = undefined;
    await remember("The automobile is in the garage.");
    await remember("A poison of a text.");
    await remember("The physician comes on Monday.");
    server = on;
    embeddings.tick();
    await indexed();
    expect(await db.read({ sql: "SELECT chunk FROM vector ORDER BY chunk", args: [] })).toEqual([[1], [3]]);
    expect((await search("a poison of a text")).chunks.map(({ id }) => id)).toContain(2);
    expect(embeddings.state).toBe("ready");
  });
});

describe("another model", () => {
  it("has its own vectors, and those of the former one are never compared with them", async () => {
    for (let at = 0; at < 100; at++) await remember(`Note ${at} about a purchase.`);
    await indexed();
    // The other model turns everything round: compared with it, the former's vectors would be the farthest.
    double.embed = (text) => embeddingOf(text).map((number) => -number);
    server = { ...server!, model: "large", name: "gateway:large" };
    embeddings.tick();
    for (let at = 0; at < 20; at++) {
      const result = await embeddings.search("acquire note 17", 5);
      for (const { cosine } of result?.found ?? []) expect(cosine).toBeGreaterThan(-0.2);
    }
    await indexed();
    expect(await found("acquire note 17")).toContain(18);
    const models = await db.read({ sql: "SELECT DISTINCT model FROM vector", args: [] });
    expect(models).toEqual([[2]]);
  });

  it("of the same name with vectors of another size is another one", async () => {
    await remember("The automobile is in the garage.");
    await indexed();
    double.embed = (text) => embeddingOf(text).slice(0, 200);
    expect(await search("garage")).toMatchObject({ mode: "keyword", isDegraded: true });
    embeddings.tick();
    await indexed();
    expect(await found("vehicle in the garage")).toEqual([1]);
    expect(await db.read({ sql: "SELECT length(full) FROM vector", args: [] })).toEqual([[204]]);
  });
});
