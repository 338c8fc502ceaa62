/** Forgetting that reaches every copy (K12, KM6). */

import { join } from "node:path";
import { expect, it } from "vitest";
import { filesBelow } from "../../testing/files-below.ts";
import { type GatedService, startGatedService } from "../../testing/gated-service.ts";
import { temporaryFolders } from "../../testing/index.ts";
import { startTestService } from "../../testing/test-service.ts";

const CANARY = "The heron nests behind Tillotson quarry.";

/** Files under a folder that hold the canary's rarest word, in any encoding that stores use. */
function holding(folder: string): readonly string[] {
  return filesBelow(folder)
    .filter(({ bytes }) => /tillotson/i.test(bytes.toString("latin1")))
    .map(({ path }) => path);
}

/** Two conversations that were shown the canary, and a question about it. What the scripted model quotes it has said. */
async function shown(service: GatedService): Promise<number> {
  const { ask, say } = service;
  const added = await ask("POST", "/api/knowledge/chunks", { content: CANARY, subject: "heron", domain: "birds" });
  await ask("POST", "/api/knowledge/chunks", { content: "The stork nests on the roof.", subject: "stork" });
  await ask("POST", "/api/chat", { session_id: "one", message: "Where does the heron nest?" });
  await ask("POST", "/api/chat", { session_id: "two", message: "And what does the heron eat?" });
  await say('/call forget_memory {"chunk_id":1}');
  return added.body.id;
}

const prompts = async ({ ask }: GatedService, session: string): Promise<string> => {
  const { turns } = (await ask("GET", `/api/chat/sessions/${session}/turns`)).body;
  return JSON.stringify((await ask("GET", `/api/prompts/${turns[0].task_id}`)).body);
};

it("leaves no byte of a memory in any file, and what stands beside it as it was", async () => {
  await using service = await startGatedService();
  const { ask, running } = service;
  const id = await shown(service);
  await expect.poll(() => prompts(service, "one")).toContain("Tillotson");
  expect(holding(running.folders.home).length).toBeGreaterThan(1);

  const dry = (await ask("POST", "/api/memory/forget", { subject: "Heron", dry_run: true })).body;
  expect(dry).toMatchObject({ receipt_id: null, counts: { chunks: 1, frames: 2, sources: 0 } });
  expect((await ask("GET", "/api/knowledge/search?q=heron")).body.results).toHaveLength(1);

  const done = (await ask("POST", "/api/memory/forget", { chunk_ids: [id] })).body;
  expect(done).toMatchObject({ receipt_id: 1, counts: { chunks: 1, frames: 2, sources: 0, vectors: 0 } });
  expect(holding(running.folders.home)).toEqual([]);
  const kept = await prompts(service, "one");
  expect(kept).toContain(`#${id} [forgotten]`);
  expect(kept).toContain("stork");

  const { receipts } = (await ask("GET", "/api/memory/receipts")).body;
  expect(receipts).toMatchObject([{ id: 1, scope: "chunks", counts: done.counts }]);
  expect((await ask("POST", "/api/memory/forget", { chunk_ids: [id] })).body).toMatchObject({ receipt_id: null });
  await expect.poll(() => service.published.map(({ topic }) => topic)).toContain("memory.changed");
});

it("goes with the session that stored it, where that is asked for, and stays else (K13)", async () => {
  await using service = await startGatedService();
  const { ask } = service;
  const say = (session_id: string, message: string) => ask("POST", "/api/chat", { session_id, message });
  for (const [session, content] of Object.entries({ nest: CANARY, roof: "The stork nests on the roof." }))
    await say(session, `/call memory_ingest ${JSON.stringify({ content, subject: session })}`);
  for (const session of ["two", "three"]) await say(session, "Where does the heron nest?");
  const remove = (session: string, query = "") => ask("DELETE", `/api/chat/sessions/${session}${query}`);
  expect((await remove("nest", "?forget=true&harvest=true")).status).toBe(400);
  expect((await remove("none", "?forget=true")).status).toBe(404);
  const { body } = await remove("nest", "?forget=true");
  expect(body).toMatchObject({ deleted: true, forgotten: { chunks: 1, frames: 2, sources: 0 } });
  const two = await prompts(service, "two");
  expect(two).toContain("#1 [forgotten]");
  expect(two).not.toContain("Tillotson");
  expect(holding(join(service.running.folders.home, "knowledge"))).toEqual([]);
  expect((await remove("roof")).body.forgotten).toBeNull();
  const { results } = (await ask("GET", "/api/knowledge/search?q=nests")).body;
  expect(results.map(({ id }: { id: number }) => id)).toEqual([2]);
});

it("takes it out of results of the memory tools (K12)", async () => {
  await using service = await startGatedService();
  const { ask, say } = service;
  await ask("POST", "/api/knowledge/chunks", { content: CANARY, subject: "heron" });
  const { id } = JSON.parse(await say('/call memory_recall {"query":"nests"}')) as { id: string };
  const results = async (): Promise<string> => {
    const { events } = (await ask("GET", `/api/a2a/tasks/${id}/journal`)).body;
    return JSON.stringify(events.filter(({ kind }: { kind: string }) => kind.startsWith("tool")));
  };
  expect(await results()).toContain("Tillotson");
  expect((await ask("DELETE", "/api/knowledge/chunks/1")).status).toBe(200);
  expect(await results()).not.toContain("Tillotson");
});

it("takes one way of naming what is to be forgotten", async () => {
  await using service = await startGatedService();
  const forget = async (body: object) => (await service.ask("POST", "/api/memory/forget", body)).status;
  expect(await forget({})).toBe(400);
  expect(await forget({ subject: "heron", session_id: "one" })).toBe(400);
  expect(await forget({ chunk_ids: [] })).toBe(422);
  await service.ask("POST", "/api/knowledge/chunks", { content: "The heron nests by the pond." });
  for (const dry_run of [true, false]) {
    // A receipt for a document that there never was would be a false one.
    const { body } = await service.ask("POST", "/api/memory/forget", { source_id: 7, dry_run });
    expect(body).toMatchObject({ receipt_id: null, counts: { sources: 0 } });
  }
  expect((await service.ask("GET", "/api/memory/receipts")).body).toMatchObject({ receipts: [] });
});

it("of a conversation takes what its turns stored, and nothing of others", async () => {
  await using service = await startGatedService();
  const { ask } = service;
  const remember = (session: string, content: string) =>
    ask("POST", "/api/chat", { session_id: session, message: `/call memory_ingest ${JSON.stringify({ content })}` });
  await remember("one", "Ferns like shade.");
  await remember("two", "Ferns like rain.");
  const { counts } = (await ask("POST", "/api/memory/forget", { session_id: "one" })).body;
  expect(counts).toMatchObject({ chunks: 1 });
  const { results } = (await ask("GET", "/api/knowledge/search?q=ferns")).body;
  expect(results).toMatchObject([{ content: "Ferns like rain." }]);
});

it("lists, changes and deletes always-on memory, which keeps its domain (K5)", async () => {
  await using service = await startGatedService();
  const { ask } = service;
  await ask("POST", "/api/knowledge/chunks", { content: "Be brief.", domain: "style", delivery_policy: "always" });
  await ask("POST", "/api/knowledge/chunks", { content: "Ferns.", domain: "plants" });
  const chunks = async () => (await ask("GET", "/api/memory/hot")).body.chunks;
  expect(await chunks()).toMatchObject([{ id: 1, domain: "style", content: "Be brief." }]);
  expect((await ask("PUT", "/api/memory/hot/2", { content: "Be kind." })).status).toBe(404);
  expect((await ask("PUT", "/api/memory/hot/1", { content: "Be kind." })).body.chunk).toMatchObject({ revision: 2 });
  expect(await chunks()).toMatchObject([{ domain: "style", delivery_policy: "always", content: "Be kind." }]);
  expect((await ask("DELETE", "/api/memory/hot/2")).status).toBe(404);
  expect((await ask("DELETE", "/api/memory/hot/1")).body).toEqual({ enabled: true, deleted: true });
  expect(await chunks()).toEqual([]);
});

/** Where a forgetting can be cut off. */
const MOMENTS = [
  ...["knowledge.forgetting:after", "memory.forget:before", "memory.forget:after", "prompts.rewrite:before"],
  ...["knowledge.forgotten:before", "knowledge.forgotten:after", "index.merged:before", "knowledge.receipt:before"],
];

it.each(MOMENTS)("goes on in the next process where it was cut off at %s", async (moment) => {
  const folders = temporaryFolders();
  let isArmed = false;
  const failpoints = {
    hit(name: string) {
      if (isArmed && name === moment) throw new Error("cut off");
    },
  };
  const ask = async (url: string, path: string, body: object): Promise<number> => {
    const headers = { "content-type": "application/json" };
    return (await fetch(`${url}${path}`, { method: "POST", headers, body: JSON.stringify(body) })).status;
  };
  {
    await using service = await startTestService({ folders, failpoints });
    await ask(service.url, "/api/knowledge/chunks", { content: CANARY, subject: "heron" });
    await service.wire.say("Where does the heron nest?");
    isArmed = true;
    expect(await ask(service.url, "/api/memory/forget", { subject: "heron" })).toBeGreaterThanOrEqual(500);
  }
  await using next = await startTestService({ folders });
  const receipts = async () =>
    (await (await fetch(`${next.url}/api/memory/receipts`)).json()) as { receipts: object[] };
  await expect
    .poll(async () => (await receipts()).receipts)
    .toMatchObject([{ scope: "subject", counts: { chunks: 1 } }]);
  await expect.poll(() => holding(folders.home)).toEqual([]);
});
