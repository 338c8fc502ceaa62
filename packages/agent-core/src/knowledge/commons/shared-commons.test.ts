/** Memories that are those of the commons, over two stores (K26). */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Failpoints, lazyStore, openDatabase, withFailpoints } from "../../database/index.ts";
import { benchThreads } from "../../database-bench.ts";
import { manualClock } from "../../testing/manual-clock.ts";
import type { NewMemory } from "../chunk.ts";
import { KnowledgeStore } from "../knowledge-store.ts";
import { OperatorKnowledge } from "../operator-knowledge.ts";
import { stagedTag } from "./commons-files.ts";
import { CommonsMirror } from "./commons-mirror.ts";
import { scopedStore } from "./scoped-store.ts";

let root = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "shared-commons-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const folder = (): string => join(root, "commons");
const files = (): string[] => readdirSync(folder()).filter((name) => name.endsWith(".json"));

/** An agent of the home whose store is the file of that name. */
function agent(name: string, failpoints: Failpoints = { hit: () => {} }) {
  const clock = manualClock();
  const url = `file:${join(root, `${name}.db`)}`;
  const open = async () =>
    withFailpoints(
      await openDatabase({ url, owner: { name }, schema: "knowledge", threads: benchThreads }),
      failpoints,
    );
  const bus = { publish: vi.fn() };
  const store = new KnowledgeStore({
    store: scopedStore(lazyStore(open, clock), () => true),
    ...{ clock, bus, redact: (text: string) => text },
  });
  const mirror = new CommonsMirror({
    ...{ store, clock, bus, exists: () => true, place: () => ({ folder: folder(), isShared: true }) },
    makeFolder: (path) => void mkdirSync(path, { recursive: true }),
    onFailure(error) {
      throw error;
    },
  });
  let calls = 0;
  const remember = (content: string, more: Partial<NewMemory> = {}) =>
    store.remember(
      {
        ...{ content, domain: "general", kind: "note", subject: "", heading: "", policy: "retrieved" },
        ...{ expiresAt: undefined, trust: "agent", held: undefined, session: "", task: "", ...more },
      },
      `${name}-${calls++}`,
    );
  const texts = async (): Promise<string[]> => (await store.list({}, 100)).map(({ content }) => content);
  const operations = new OperatorKnowledge({
    ...{ store, clock, bus, exists: () => true, redact: (text: string) => text, newId: () => name },
    ...{ search: { search: () => Promise.reject(new Error("not asked for")) }, forget: async () => {} },
  });
  return { store, mirror, operations, remember, texts, [Symbol.asyncDispose]: () => store.close() };
}

describe("memories of the commons", () => {
  it("that a process confirmed and did not put there are put there by the next one, once", async () => {
    {
      await using killed = agent("one");
      await killed.remember("Release on Tuesdays.", { subject: "releases" });
      await killed.remember("Release on Fridays.", { subject: "releases" });
    }
    await using next = agent("one");
    await next.mirror.sync();
    expect(files()).toHaveLength(1);
    await next.mirror.sync();
    await using two = agent("two");
    await two.mirror.sync();
    expect(await two.texts()).toEqual(["Release on Fridays."]);
    expect(await next.texts()).toEqual(["Release on Fridays."]);
  });

  it("of one subject: the later words count, and the operator's are not replaced by an agent's", async () => {
    await using one = agent("one");
    await using two = agent("two");
    const about = (subject: string) => ({ subject });
    await one.remember("Black.", { subject: "coffee", trust: "operator" });
    await one.remember("At nine.", about("opening"));
    // Before it could read the others'.
    await two.remember("With milk.", about("coffee"));
    await two.remember("At ten.", about("opening"));
    await one.mirror.sync();
    await two.mirror.sync();
    await one.mirror.sync();
    expect((await two.texts()).toSorted()).toEqual(["At ten.", "Black."]);
    expect((await one.texts()).toSorted()).toEqual(["At ten.", "Black."]);
    expect((await two.store.list({ review: "pending" }, 9)).map(({ content }) => content)).toEqual(["With milk."]);
  });

  it("that one forgets while another corrects them stay as they were corrected", async () => {
    await using one = agent("one");
    await using two = agent("two");
    const { id } = await one.remember("At nine.", { subject: "opening" });
    await one.mirror.sync();
    await two.mirror.sync();
    await two.remember("At ten.", { subject: "opening" });
    await one.store.forget(id, "", "call");
    await one.mirror.sync();
    await two.mirror.sync();
    await one.mirror.sync();
    expect(await one.texts()).toEqual(["At ten."]);
    expect(await two.texts()).toEqual(["At ten."]);
    const [ten] = await one.store.list({}, 9);
    await one.operations.edit(ten?.id ?? 0, { content: "At noon." });
    await two.store.forget((await two.store.list({}, 9))[0]?.id ?? 0, "", "call");
    for (const { mirror } of [two, one, two]) await mirror.sync();
    expect(await one.texts()).toEqual(["At noon."]);
    expect(await two.texts()).toEqual(["At noon."]);
  });

  it("are not replaced unread: what came in between is read before anything is written", async () => {
    await using one = agent("one");
    await using two = agent("two");
    await one.remember("Black.", { subject: "coffee", trust: "operator" });
    await one.mirror.writeOut();
    await two.remember("With milk.", { subject: "coffee" });
    await two.mirror.writeOut();
    await one.mirror.sync();
    expect([await one.texts(), await two.texts()]).toEqual([["Black."], ["Black."]]);
  });

  it("that say the same without a subject are one file, which goes with the last of them", async () => {
    await using one = agent("one");
    await using two = agent("two");
    const first = await one.remember("Herons nest.");
    const second = await one.remember("Herons nest.");
    await two.remember("Herons nest.");
    for (const { mirror } of [one, two, one]) await mirror.sync();
    expect([files().length, await two.texts()]).toEqual([1, ["Herons nest."]]);
    await one.store.forget(first.id, "", "a");
    await one.mirror.writeOut();
    expect(files()).toHaveLength(1);
    await one.store.forget(second.id, "", "b");
    await one.mirror.writeOut();
    expect(files()).toEqual([]);
    await two.mirror.sync();
    expect(await two.texts()).toEqual([]);
  });

  it("that say the same as one that is there already are put there, and keep nothing that follows from it", async () => {
    await using one = agent("one");
    await one.remember("Herons nest.");
    await one.mirror.sync();
    const second = await one.remember("Herons nest.");
    await one.remember("Wrens sing.");
    await one.mirror.writeOut();
    expect(files()).toHaveLength(2);
    for (const { id } of await one.store.list({}, 9))
      if (id !== second.id) await one.store.forget(id, "", `call-${id}`);
    await one.mirror.writeOut();
    expect([files().length, await one.texts()]).toEqual([1, ["Herons nest."]]);
  });

  describe("whose file was written by a process that could not note it", () => {
    const cutOff = (nth: number): Failpoints => {
      let reached = 0;
      return {
        hit(at) {
          if (at === "knowledge.shared:before" && ++reached >= nth) throw new Error("the process has ended");
        },
      };
    };

    it("are forgotten by the next one with it", async () => {
      let id = 0;
      {
        await using killed = agent("one", cutOff(1));
        ({ id } = await killed.remember("Herons nest."));
        await expect(killed.mirror.writeOut()).rejects.toThrow("the process has ended");
      }
      expect(files()).toHaveLength(1);
      await using next = agent("one");
      await next.store.forget(id, "", "call");
      await next.mirror.writeOut();
      expect(files()).toEqual([]);
      await next.mirror.sync();
      expect(await next.texts()).toEqual([]);
    });

    it("are forgotten as they were corrected, and not as another process corrected them", async () => {
      const ids: number[] = [];
      {
        await using killed = agent("one", cutOff(2));
        for (const subject of ["opening", "closing"]) ids.push((await killed.remember("At nine.", { subject })).id);
        await killed.mirror.sync();
        for (const id of ids) await killed.operations.edit(id, { content: "At ten." });
        await expect(killed.mirror.writeOut()).rejects.toThrow("the process has ended");
      }
      await using two = agent("two");
      await two.mirror.sync();
      await two.remember("At noon.", { subject: "closing", trust: "operator" });
      await two.mirror.writeOut();
      await using next = agent("one");
      for (const id of ids) await next.store.forget(id, "", `call-${id}`);
      await next.mirror.writeOut();
      for (const { mirror } of [next, two]) await mirror.sync();
      expect([files().length, await next.texts(), await two.texts()]).toEqual([1, ["At noon."], ["At noon."]]);
    });
  });

  it("keep their number and get another revision where another process changes them", async () => {
    await using one = agent("one");
    await using two = agent("two");
    await one.remember("At nine.", { subject: "opening" });
    await one.mirror.sync();
    await two.mirror.sync();
    const [before] = await two.store.list({}, 9);
    await one.remember("At ten.", { subject: "opening" });
    await one.mirror.sync();
    await two.mirror.sync();
    expect(await two.store.list({}, 9)).toEqual([
      expect.objectContaining({ id: before?.id, revision: 2, content: "At ten." }),
    ]);
    expect(await two.store.search("nine", {}, 9)).toEqual([]);
    expect(await two.store.search("ten", {}, 9)).toHaveLength(1);
  });

  it("that a process left half written are removed", async () => {
    mkdirSync(folder());
    await using one = agent("one");
    const tag = await one.store.read(async (db) => stagedTag(db));
    const staged = (tail: string): string => {
      const name = `.${"a".repeat(32)}.json.${tail}`;
      writeFileSync(join(folder(), name), "half");
      return name;
    };
    staged(`${tag}000000`);
    utimesSync(join(folder(), staged("b".repeat(12))), 0, 0);
    const fresh = staged("c".repeat(12));
    utimesSync(join(folder(), fresh), Date.now(), Date.now());
    await one.mirror.writeOut();
    // Another process may be writing it.
    expect(readdirSync(folder())).toEqual([fresh]);
  });
});
