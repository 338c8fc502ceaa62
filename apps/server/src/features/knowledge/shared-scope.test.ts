/** Memories that are those of the commons, in the scope `shared` (K26). */
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type GatedService, startGatedService } from "../../testing/gated-service.ts";

let commons = "";
beforeEach(() => {
  commons = mkdtempSync(join(tmpdir(), "commons-"));
});
afterEach(() => rmSync(commons, { recursive: true, force: true }));

const scoped = (scope: string) =>
  startGatedService({ config: `knowledge: {scope: ${scope}, commons_path: ${commons}, recall_timeout_ms: 60000}\n` });
const CHUNKS = "/api/knowledge/chunks";
const files = (): string[] => readdirSync(join(commons, "memories")).filter((name) => name.endsWith(".json"));
const texts = async ({ ask }: GatedService, q = ""): Promise<string[]> =>
  (await ask("GET", `/api/knowledge/search?q=${q}`)).body.results.map(({ content }: { content: string }) => content);
const setScope = ({ ask }: GatedService, scope: string) =>
  ask("POST", "/api/config", { config: { knowledge: { scope } } });

describe("with the scope shared", () => {
  it("what one agent remembers, corrects and forgets, the others find, correct and forget", async () => {
    await using one = await scoped("shared");
    await using two = await scoped("shared");
    const added = await one.ask("POST", CHUNKS, { content: "Release on Tuesdays.", subject: "releases" });
    expect(added.body.chunk).toMatchObject({ id: 1, tier: "commons", commons: null });
    await expect.poll(() => texts(two, "release")).toEqual(["Release on Tuesdays."]);
    await two.ask("POST", "/api/chat", { session_id: "s", message: "When do we release?" });
    expect((await two.ask("GET", "/api/chat/sessions/s/turns")).body.turns[0].recalled).toHaveLength(1);

    // By its subject, in the other process.
    await two.ask("POST", CHUNKS, { content: "Release on Thursdays.", subject: "Releases" });
    await expect.poll(() => texts(one, "release")).toEqual(["Release on Thursdays."]);
    expect(files()).toHaveLength(1);
    await one.ask("PUT", `${CHUNKS}/1`, { content: "Release on Fridays." });
    await expect.poll(() => texts(two, "release")).toEqual(["Release on Fridays."]);
    // Nothing is promoted by hand.
    expect((await one.ask("POST", `${CHUNKS}/1/promote`)).status).toBe(409);

    const [{ id }] = (await two.ask("GET", "/api/knowledge/search?q=release")).body.results;
    await two.ask("DELETE", `${CHUNKS}/${id}`);
    // Gone from the commons when it is answered.
    expect(files()).toEqual([]);
    await expect.poll(() => texts(one)).toEqual([]);
  });

  it("an agent's words do not replace the operator's, whoever wrote them", async () => {
    await using one = await scoped("shared");
    await using two = await scoped("shared");
    await one.ask("POST", CHUNKS, { content: "Black, no sugar.", subject: "coffee" });
    await expect.poll(() => texts(two)).toEqual(["Black, no sugar."]);
    const said = await two.say('/call memory_ingest {"content":"With milk.","subject":"coffee"}');
    expect(said).toContain("It waits for review");
    expect(await texts(two)).toEqual(["Black, no sugar."]);
  });

  it("what sums up a conversation, waits or is attached stays this agent's, and documents are shared", async () => {
    await using one = await scoped("shared");
    await using two = await scoped("shared");
    const { ask } = one;
    await ask("POST", CHUNKS, { content: "We spoke of ferns.", domain: "conversation" });
    await ask("POST", "/api/knowledge/attach", { text: "Attached herons. ".repeat(600), session_id: "s" });
    const ingested = await ask("POST", "/api/knowledge/ingest", {
      text: `# Plants\n\n${"Water the ferns. ".repeat(60)}\n\n${"Cut the moss. ".repeat(60)}`,
      title: "Handbook",
    });
    expect(ingested.body.chunks).toBeGreaterThan(1);
    await expect.poll(async () => (await texts(two)).length).toBe(ingested.body.chunks);
    const list = (await ask("GET", "/api/knowledge/search?q=spoke")).body.results;
    expect(list).toMatchObject([{ tier: "private" }]);
    const counted = async (query: string) => (await ask("GET", `/api/knowledge/search?${query}`)).body.results.length;
    const { chunks, source_id } = ingested.body;
    const queries = ["tier=private", "tier=commons", `source_id=${source_id}`, "source_id=99"];
    expect(await Promise.all(queries.map(counted))).toEqual([1, chunks, chunks, 0]);
    await ask("POST", "/api/knowledge/delete-by-source", { source_id });
    await expect.poll(() => texts(two)).toEqual([]);
    await ask("POST", "/api/knowledge/restore-by-source", { source_id });
    await expect.poll(async () => (await texts(two)).length).toBe(chunks);
  });

  it("what this agent has of its own waits, and comes back with the scope", async () => {
    await using one = await scoped("scoped");
    await one.ask("POST", CHUNKS, { content: "Mine alone.", subject: "mine" });
    await one.ask("POST", CHUNKS, { content: "We spoke of ferns.", domain: "conversation" });
    await setScope(one, "shared");
    expect(await texts(one)).toEqual(["We spoke of ferns."]);
    await one.ask("POST", CHUNKS, { content: "Ours.", subject: "mine" });
    await expect.poll(files).toHaveLength(1);
    expect(readFileSync(join(commons, "memories", files()[0] ?? ""), "utf8")).not.toContain("Mine");
    await setScope(one, "scoped");
    expect(await texts(one)).toEqual(["We spoke of ferns.", "Mine alone."]);
    await setScope(one, "layered");
    await expect.poll(() => texts(one)).toEqual(["Ours.", "We spoke of ferns.", "Mine alone."]);
    await setScope(one, "shared");
    await expect.poll(() => texts(one)).toEqual(["Ours.", "We spoke of ferns."]);
    expect(files()).toHaveLength(1);
  });

  it("what could not be written is confirmed, served, and there when the commons are back", async () => {
    await using one = await scoped("shared");
    await one.ask("POST", CHUNKS, { content: "First." });
    // What was forgotten is out of the commons when it is answered, and what was remembered before is in them.
    await one.ask("POST", CHUNKS, { content: "Nothing." });
    expect((await one.ask("POST", "/api/memory/forget", { chunk_ids: [2] })).status).toBe(200);
    expect(files()).toHaveLength(1);
    const away = `${commons}-away`;
    renameSync(commons, away);
    expect((await one.ask("POST", CHUNKS, { content: "Second." })).status).toBe(200);
    expect(await texts(one)).toEqual(["Second.", "First."]);
    // Forgetting is answered when it is done there too.
    expect((await one.ask("POST", "/api/memory/forget", { chunk_ids: [1] })).status).toBe(503);
    expect(await texts(one)).toEqual(["Second."]);
    rmSync(commons, { recursive: true, force: true });
    renameSync(away, commons);
    await expect.poll(files).toHaveLength(1);
    await expect.poll(() => readFileSync(join(commons, "memories", files()[0] ?? ""), "utf8")).toContain("Second");
    await expect.poll(async () => (await one.ask("GET", "/api/memory/receipts")).body.receipts).toHaveLength(2);
  });
});
