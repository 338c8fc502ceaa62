import { afterEach, beforeEach, expect, test } from "vitest";
import { type Database, openDatabase } from "../../database/index.ts";
import { benchThreads } from "../../database-bench.ts";
import type { HttpTarget, StdioTarget } from "../server-target.ts";
import { DefinitionPins, isWaiting, type Observation, offered, readDefinitions, targetDigest } from "./index.ts";

let db: Database;
let pins: DefinitionPins;
beforeEach(async () => {
  db = await openDatabase({ url: ":memory:", schema: "tasks", owner: { name: "test" }, threads: benchThreads });
  pins = await DefinitionPins.open(db);
});
afterEach(() => db.close());

const program: StdioTarget = { transport: "stdio", command: "run", args: ["a"], env: {} };
const showing = (tools: Readonly<Record<string, string>>, more: Partial<Observation> = {}): Observation => ({
  ...{ kinds: ["tool"], pinning: "strict", at: 1, target: targetDigest(program) },
  definitions: readDefinitions({ tools: Object.entries(tools).map(([name, description]) => ({ name, description })) })
    .definitions,
  ...more,
});
const shown = (server = "s") => pins.of(server).map((pin) => [pin.name, offered(pin)?.description]);
const restart = async () => {
  pins = await DefinitionPins.open(db);
};

test("what a server shows first is approved, what it shows later waits, also after a restart", async () => {
  expect(await pins.observe("s", showing({ b: "1", a: "1" }))).toEqual({ changed: true, held: [] });
  await restart();
  expect(await pins.observe("s", showing({ a: "2", b: "1", c: "1" }))).toEqual({ changed: true, held: ["a", "c"] });
  const before = pins.of("s");
  expect(await pins.observe("s", showing({ c: "1", b: "1", a: "2" }))).toEqual({ changed: false, held: [] });
  expect(pins.of("s")).toBe(before);
  await restart();
  expect(pins.of("s")).toEqual(before);
  expect(shown()).toEqual([
    ["a", "1"],
    ["b", "1"],
    ["c", undefined],
  ]);
  expect(pins.of("other")).toEqual([]);
});

test("a server that first shows nothing has shown nothing yet", async () => {
  expect(await pins.observe("s", showing({}))).toEqual({ changed: false, held: [] });
  expect(await pins.observe("s", showing({ a: "1" }))).toEqual({ changed: true, held: [] });
});

test("a decision is kept, and one about something else is refused with what to do", async () => {
  await pins.observe("s", showing({ a: "1" }));
  await pins.observe("s", showing({ a: "2" }));
  const digest = pins.of("s")[0]?.digest ?? "";
  await pins.observe("s", showing({ a: "3" }));
  await expect(pins.decide("s", { approve: [{ name: "a", digest }] }, 5)).rejects.toMatchObject({
    code: "mcp.digest_changed",
    message: "the definition is no longer the one that was looked at; look at it again",
  });
  await expect(pins.decide("s", { reject: ["z"] }, 5)).rejects.toMatchObject({ code: "mcp.unknown_definition" });
  const now = pins.of("s")[0]?.digest ?? "";
  expect(await pins.decide("s", { approve: [{ name: "a", digest: now }] }, 5)).toBe(true);
  expect(await pins.decide("s", { approve: [{ name: "a", digest: now }] }, 6)).toBe(false);
  await restart();
  expect(shown()).toEqual([["a", "3"]]);
});

test("two observations at once are taken in one after the other", async () => {
  const results = await Promise.all([pins.observe("s", showing({ a: "1" })), pins.observe("s", showing({ a: "2" }))]);
  expect(results.map(({ held }) => held)).toEqual([[], ["a"]]);
  expect(shown()).toEqual([["a", "1"]]);
});

test("another command, arguments or address holds also what new_ok would accept; env and headers do not", async () => {
  const digests = [program, { ...program, env: { A: "1" } }, { ...program, args: ["b"] }].map(targetDigest);
  expect(digests[0] === digests[1] && digests[0] !== digests[2]).toBe(true);
  const service: HttpTarget = { transport: "streamable_http", url: "https://a.example", headers: { A: "1" } };
  expect(targetDigest(service)).toBe(targetDigest({ ...service, headers: {} }));
  await pins.observe("s", showing({ a: "1" }));
  const other = { pinning: "new_ok", target: targetDigest({ ...program, args: ["b"] }) } as const;
  expect(await pins.observe("s", showing({ a: "1", b: "1" }, other))).toMatchObject({ held: ["b"] });
  expect(await pins.observe("s", showing({ a: "1", b: "1", c: "1" }, other))).toMatchObject({ held: [] });
  expect(pins.of("s").map(isWaiting)).toEqual([false, true, false]);
});

test("a forgotten server begins anew, and others stay", async () => {
  await pins.observe("s", showing({ a: "1" }));
  await pins.observe("t", showing({ a: "1" }));
  await pins.noteEra("s", "2026", 3);
  expect(pins.era("s")).toEqual({ era: "2026", probedAt: 3 });
  await pins.forget("s");
  await restart();
  expect([shown("s"), shown("t"), pins.era("s")]).toEqual([[], [["a", "1"]], undefined]);
  expect(await pins.observe("s", showing({ a: "9" }))).toEqual({ changed: true, held: [] });
});

test("a thousand definitions are stored, and what is gone without approval is not kept", async () => {
  const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`t${index}`, "x"]));
  await pins.observe("s", showing(many));
  await restart();
  expect(pins.of("s")).toHaveLength(1_000);
  await pins.observe("s", showing({ new: "x" }));
  await pins.observe("s", showing({}));
  await restart();
  expect(pins.of("s").map(({ state }) => state)).toEqual(Array.from({ length: 1_000 }, () => "gone"));
});

test("the loop turns while a long list is taken in, also one that changes nothing", async () => {
  const many = Object.fromEntries(Array.from({ length: 160 }, (_, index) => [`t${index}`, "1"]));
  await pins.observe("s", showing(many));
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    if (isOver) return;
    turns++;
    setImmediate(count);
  };
  setImmediate(count);
  // Nothing is stored, so that no wait for the store lets the loop turn.
  expect(await pins.observe("s", showing(many))).toEqual({ changed: false, held: [] });
  isOver = true;
  expect(turns).toBeGreaterThan(5);
});
