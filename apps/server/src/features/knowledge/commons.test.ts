/** Memories that the agents of a home share (K26). */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type GatedService, startGatedService } from "../../testing/gated-service.ts";

let commons = "";
beforeEach(() => {
  commons = mkdtempSync(join(tmpdir(), "commons-"));
});
afterEach(() => rmSync(commons, { recursive: true }));

const layered = () =>
  startGatedService({ config: `knowledge: {scope: layered, commons_path: ${commons}, recall_timeout_ms: 60000}\n` });
const CHUNKS = "/api/knowledge/chunks";
const found = async ({ ask }: GatedService, q: string): Promise<{ id: number; content: string; tier: string }[]> =>
  (await ask("GET", `/api/knowledge/search?q=${q}`)).body.results;
/** What the commons hold of what is found, newest first. */
const held = async ({ ask }: GatedService): Promise<(string | null)[]> =>
  (await ask("GET", "/api/knowledge/search")).body.results.map((one: { commons: string | null }) => one.commons);

it("are read by each, change where they are promoted from, and go when they are taken out", async () => {
  await using one = await layered();
  await using two = await layered();
  await one.ask("POST", CHUNKS, { content: "Release on Tuesdays.", subject: "releases" });
  expect((await one.ask("POST", `${CHUNKS}/1/promote`)).body).toEqual({ enabled: true, promoted: true, id: 1 });
  await expect.poll(() => found(two, "release")).toMatchObject([{ content: "Release on Tuesdays.", tier: "commons" }]);
  // The own one first, and equal texts once.
  expect(await held(one)).toEqual(["same"]);
  expect((await one.ask("GET", "/api/knowledge/search")).body.stats).toEqual({ general: 1, total: 1 });
  expect(await held(two)).toEqual(["same"]);
  expect(await found(one, "release")).toMatchObject([{ id: 1, tier: "private" }]);
  await two.ask("POST", "/api/chat", { session_id: "s", message: "When do we release?" });
  const { turns } = (await two.ask("GET", "/api/chat/sessions/s/turns")).body;
  expect(turns[0].recalled).toHaveLength(1);

  await one.ask("PUT", `${CHUNKS}/1`, { content: "Release on Thursdays." });
  expect(await held(one)).toEqual(["same", "other"]);
  await one.ask("POST", `${CHUNKS}/1/promote`);
  expect(readdirSync(join(commons, "memories"))).toHaveLength(1);
  await expect
    .poll(async () => (await found(two, "release")).map(({ content }) => content))
    .toEqual(["Release on Thursdays."]);
  const [{ id } = { id: 0 }] = await found(two, "release");
  // It is no other agent's to change.
  expect((await two.ask("PUT", `${CHUNKS}/${id}`, { content: "Never." })).status).toBe(409);
  expect((await two.ask("DELETE", `${CHUNKS}/${id}`)).status).toBe(409);
  expect(await two.say(`/call forget_memory {"chunk_id":${id}}`)).not.toContain(`Forgot memory ${id}.`);
  expect((await two.ask("DELETE", `${CHUNKS}/${id}/promote`)).body).toMatchObject({ promoted: false });
  expect(await found(two, "release")).toEqual([]);
  expect(await found(one, "release")).toMatchObject([{ id: 1, tier: "private" }]);
  expect((await one.ask("DELETE", `${CHUNKS}/1/promote`)).status).toBe(409);
  await expect.poll(() => held(one)).toEqual(["nothing"]);
});

it("are none that wait, sum up a conversation or are unknown, and none where nothing is shared", async () => {
  await using service = await layered();
  const { ask } = service;
  await ask("POST", CHUNKS, { content: "Ask before you send.", subject: "mail" });
  await service.say('/call memory_ingest {"content":"Send at once.","subject":"mail"}');
  await ask("POST", CHUNKS, { content: "We spoke of ferns.", domain: "conversation" });
  // What waits, and a conversation's summary, cannot be shared.
  expect(await held(service)).toEqual([null, "nothing"]);
  const answers = await Promise.all([2, 3, 9].map(async (id) => (await ask("POST", `${CHUNKS}/${id}/promote`)).status));
  expect(answers).toEqual([409, 409, 404]);
  await using scoped = await startGatedService();
  await scoped.ask("POST", CHUNKS, { content: "Mine." });
  expect(await held(scoped)).toEqual([null]);
  const refused = await scoped.ask("POST", `${CHUNKS}/1/promote`);
  expect([refused.status, refused.body.detail]).toEqual([
    ...[409, "Memories are shared only where knowledge.scope is layered."],
  ]);
});

it("that are no memories, or of a newer version, are left out, and the others serve", async () => {
  const folder = join(commons, "memories");
  mkdirSync(folder);
  const file = (letter: string, text: string) => writeFileSync(join(folder, `${letter.repeat(32)}.json`), text);
  const memory = { domain: "general", heading: "", subject: "", kind: "note", policy: "retrieved", trust: "agent" };
  const times = { created_at: 1, updated_at: 1 };
  file("a", "{");
  file("b", JSON.stringify({ format: 2, content: "Newer herons.", ...memory, ...times }));
  file("c", JSON.stringify({ format: 1, content: "Herons nest.", ...memory, ...times }));
  writeFileSync(join(folder, "notes.txt"), "herons");
  await using service = await layered();
  await expect.poll(() => found(service, "herons")).toMatchObject([{ content: "Herons nest." }]);
});
