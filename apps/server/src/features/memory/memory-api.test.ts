/** What is kept of conversations for later ones (K2 to K4, K15, K16, K30). */
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { localGateway, textReply } from "@agent-service/agent-core/testing";
import { expect, it, onTestFinished } from "vitest";
import { filesBelow } from "../../testing/files-below.ts";
import { type GatedService, PEERS_TOKEN, startGatedService } from "../../testing/gated-service.ts";
import { temporaryFolders } from "../../testing/index.ts";
import { startTestService, WITH_SUMMARIES } from "../../testing/test-service.ts";

const SESSIONS = "/api/memory/sessions";

interface Row {
  readonly session_id: string;
  readonly in_digest: boolean;
}

const chat = ({ ask }: GatedService, session_id: string, message: string, more = {}) =>
  ask("POST", "/api/chat", { session_id, message, ...more });

/** Files below a folder that hold the word. */
function holding(folder: string): readonly string[] {
  return filesBelow(folder)
    .filter(({ bytes }) => /tillotson/i.test(bytes.toString("latin1")))
    .map(({ path }) => path);
}

async function rows({ ask }: Pick<GatedService, "ask">): Promise<readonly Row[]> {
  return (await ask("GET", SESSIONS)).body.sessions as readonly Row[];
}

/** Everything the model was shown in the first call of a session's newest turn. */
async function shown({ ask }: GatedService, session: string): Promise<string> {
  const { turns } = (await ask("GET", `/api/chat/sessions/${session}/turns`)).body;
  const path = `/api/prompts/${turns[0].task_id}`;
  await expect.poll(async () => (await ask("GET", path)).status).toBe(200);
  return JSON.stringify((await ask("GET", path)).body);
}

it("keeps a file of each conversation, lists them by pages, and reads and deletes them", async () => {
  await using service = await startGatedService({ env: WITH_SUMMARIES });
  const { ask, running } = service;
  const folder = join(running.folders.home, "memory");
  await chat(service, "one", "Where do the herons nest?");
  await chat(service, "two", "/call memory_stats {}");
  await chat(service, "one", "And the storks?");
  const first = (await ask("GET", `${SESSIONS}?limit=1`)).body;
  expect(first.sessions).toMatchObject([
    { session_id: "one", surface: "chat", topic: "Where do the herons nest?", message_count: 4, in_digest: true },
  ]);
  const second = (await ask("GET", `${SESSIONS}?limit=1&cursor=${first.next_cursor}`)).body;
  expect(second).toMatchObject({ sessions: [{ session_id: "two" }], next_cursor: null });
  const file = join(folder, "one.json");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({ session_id: "one", message_count: 4, trace_id: null });
  expect(JSON.parse(readFileSync(join(folder, "two.json"), "utf8")).tools).toEqual([
    { name: "memory_stats", outcome: "ok" },
  ]);

  const { session } = (await ask("GET", `${SESSIONS}/one`)).body;
  expect(session.rendered).toContain("And the storks?");
  expect(session.size_bytes).toBe(statSync(file).size);
  expect((await ask("DELETE", `${SESSIONS}/one`)).body).toEqual({ deleted: true, session_id: "one" });
  expect([existsSync(file), (await ask("DELETE", `${SESSIONS}/one`)).status]).toEqual([false, 404]);
  expect((await ask("GET", `${SESSIONS}/one`)).status).toBe(404);
  // The conversation stays, and its next turn is summed up again.
  await chat(service, "one", "And the cranes?");
  expect(await rows(service)).toHaveLength(2);
  rmSync(join(folder, "two.json"));
  expect((await rows(service)).map(({ session_id }) => session_id)).toEqual(["one"]);
  writeFileSync(file, "{");
  expect((await ask("GET", `${SESSIONS}/one`)).status).toBe(422);
  for (const id of ["..%2Fone", "a%2F..%2Fb", "x".repeat(257)])
    expect([id, (await ask("GET", `${SESSIONS}/${id}`)).status]).toEqual([id, 400]);
  expect((await ask("GET", SESSIONS, undefined, PEERS_TOKEN)).status).toBe(403);
});

it("goes with its conversation, and leaves no word of it", async () => {
  await using service = await startGatedService({ env: WITH_SUMMARIES });
  const { ask, running } = service;
  await chat(service, "nest", "The heron nests behind Tillotson quarry.");
  await chat(service, "roof", "The stork nests on the roof.");
  expect(await rows(service)).toHaveLength(2);
  await ask("DELETE", "/api/chat/sessions/nest");
  expect(await rows(service)).toMatchObject([{ session_id: "roof" }]);
  for (const name of ["memory", "memory-index"]) expect(holding(join(running.folders.home, name))).toEqual([]);
});

it("gives memories when that is asked for, and before its conversation is deleted (K13, K14)", async () => {
  await using service = await startGatedService({ env: WITH_SUMMARIES });
  const { ask } = service;
  const found = async () => (await ask("GET", "/api/knowledge/search?domain=conversation")).body.results as object[];
  expect((await ask("POST", `${SESSIONS}/none/harvest`)).status).toBe(404);
  await chat(service, "birds", "Where do the herons nest?");
  expect((await ask("POST", `${SESSIONS}/birds/harvest`)).body).toEqual({ harvested: true });
  expect((await ask("POST", `${SESSIONS}/birds/harvest`)).body).toEqual({ harvested: false });
  expect(await found()).toMatchObject([
    {
      content: "It began with: Where do the herons nest?",
      session_id: "birds",
      trust: "agent",
      memory_kind: "episode",
    },
  ]);
  await chat(service, "storks", "And the storks?");
  expect((await ask("DELETE", "/api/chat/sessions/storks?harvest=true")).body).toMatchObject({ harvested: true });
  expect(await found()).toHaveLength(2);
  expect((await ask("DELETE", "/api/chat/sessions/storks?harvest=true")).status).toBe(404);
});

it("offers to extract memories by itself where that costs something and no model was chosen, with the price of one (K14)", async () => {
  const gateway = await localGateway(textReply("An answer."));
  onTestFinished(() => gateway.close());
  const asked = async (more: string, price?: string) => {
    const models = price === undefined ? "" : `, models: {large: {price: {${price}}}}`;
    await using service = await startGatedService({
      env: { ...WITH_SUMMARIES, SVC_MODEL: "" },
      config: `providers: [{id: atlas, type: compat-gateway, base_url: "${gateway.baseUrl}"${models}}]\nmodel: {name: large}\n${more}`,
    });
    return (await service.ask("GET", "/api/memory/harvesting")).body.offer;
  };
  const offer = await asked("", "input: 3, output: 15");
  expect(offer.model).toBe("atlas:large");
  // 16,000 characters and the instructions read, 4,000 tokens answered.
  expect(offer.cost_usd).toBeGreaterThan(0.072);
  expect(offer.cost_usd).toBeLessThan(0.08);
  expect(await asked("")).toEqual({ model: "atlas:large", cost_usd: null });
  expect(await asked("", "input: 0, output: 0")).toBeNull();
  for (const chosen of [
    "knowledge: {harvest_model: small}",
    "knowledge: {harvest_idle_minutes: 0}",
    "middleware: {memory: false}",
  ])
    expect([chosen, await asked(chosen)]).toEqual([chosen, null]);
  await using scripted = await startGatedService({ env: WITH_SUMMARIES });
  expect((await scripted.ask("GET", "/api/memory/harvesting")).body).toEqual({ offer: null });
});

it("deletes nothing where the model fails that is to extract", async () => {
  await using service = await startGatedService({
    env: WITH_SUMMARIES,
    config: "knowledge: {harvest_model: nowhere:none}",
  });
  const { ask } = service;
  await chat(service, "birds", "Where do the herons nest?");
  expect((await ask("DELETE", "/api/chat/sessions/birds?harvest=true")).status).toBe(502);
  expect((await ask("GET", "/api/chat/sessions/birds")).status).toBe(200);
});

it("leaves other conversations too, where it is forgotten (K12, K13)", async () => {
  await using service = await startGatedService({ env: WITH_SUMMARIES });
  const { ask, running } = service;
  await chat(service, "nest", "The heron nests behind Tillotson quarry.");
  await chat(service, "roof", "The stork nests on the roof.");
  await rows(service);
  await chat(service, "new", "hello");
  await chat(service, "new", '/call session_search {"query":"heron"}\n/then\n/say done');
  await chat(service, "new", '/call recall_session {"session_id":"nest"}\n/then\n/say done');
  expect(await shown(service, "new")).toContain("Tillotson");
  const dry = (await ask("POST", "/api/memory/forget", { session_id: "nest", dry_run: true })).body;
  expect(dry).toMatchObject({ receipt_id: null, counts: { chunks: 0, frames: 3, summaries: 1 } });
  const { body } = await ask("DELETE", "/api/chat/sessions/nest?forget=true");
  expect(body.forgotten).toEqual({ chunks: 0, frames: 3, summaries: 1, sources: 0, attachments: 0 });
  const left = await shown(service, "new");
  expect(left).not.toContain("Tillotson");
  expect(left).toContain("session nest [forgotten]");
  expect(left).toContain("The stork nests on the roof.");
  const journals = await ask("GET", "/api/chat/sessions/new/turns");
  expect(JSON.stringify(journals.body)).not.toContain("Tillotson");
  for (const name of ["memory", "memory-index", "knowledge"])
    expect(holding(join(running.folders.home, name))).toEqual([]);
  expect((await ask("POST", "/api/memory/forget", { session_id: "nest" })).body).toMatchObject({ receipt_id: null });
});

it("is of operators' conversations alone, and of none that is incognito", async () => {
  await using service = await startGatedService({ env: WITH_SUMMARIES });
  await chat(service, "secret", "Nothing of this stays.", { incognito: true });
  await service.say("A peer asks.", PEERS_TOKEN);
  await chat(service, "plain", "hello");
  expect((await rows(service)).map(({ session_id }) => session_id)).toEqual(["plain"]);
  const found = await service.say('/call session_search {"query":"stays"}');
  expect(found).toContain("No matches.");
});

it("shows a new conversation a line of each earlier one, once", async () => {
  await using service = await startGatedService({ env: WITH_SUMMARIES });
  await chat(service, "birds", "Where do the herons nest?");
  await chat(service, "ferns", "When do ferns unroll?");
  await rows(service);
  await chat(service, "new", "hello");
  const first = await shown(service, "new");
  expect(first).toMatch(/session birds \[[\d: -]+ · chat · 2 messages\] Where do the herons nest\?/);
  expect(first.match(/session ferns /g)).toHaveLength(1);
  await chat(service, "new", "hello again");
  expect((await shown(service, "new")).match(/session ferns /g)).toHaveLength(1);
  // Its own line is shown to no conversation.
  expect(await shown(service, "birds")).not.toContain("session birds [");
});

it.each([
  ["context: {prior_sessions: off}", 0],
  ["context: {prior_sessions: relevant}", 1],
  ["memory: {max_sessions: 2}", 2],
  ["memory: {max_sessions: 0}", 3],
  ["memory: {max_tokens: 25}", 1],
  ["middleware: {knowledge: false}", 0],
  ["middleware: {memory: false}", 0],
])("with %s shows %i of three", async (config, count) => {
  await using service = await startGatedService({ config, env: WITH_SUMMARIES });
  for (const [session, message] of Object.entries({ a: "About herons.", b: "About ferns.", c: "About quarries." }))
    await chat(service, session, message);
  await rows(service);
  await chat(service, "new", "Tell me of ferns");
  expect((await shown(service, "new")).match(/session [abc] \[/g) ?? []).toHaveLength(count);
});

it("is searched by the agent, answers included, and read by its id", async () => {
  await using service = await startGatedService({ env: WITH_SUMMARIES });
  await chat(service, "birds", "Where do the herons nest?");
  await chat(service, "ferns", "When do ferns unroll?");
  await rows(service);
  const search = (query: object) => service.say(`/call session_search ${JSON.stringify(query)}`);
  const found = await search({ query: "herons" });
  expect(found).toContain("session birds [");
  expect(found).not.toContain("session ferns [");
  expect(await search({ query: "herons", surface: "activity" })).toContain("No matches.");
  expect(await search({ query: '") OR *', limit: 99 })).toContain("No matches.");
  const read = await service.say('/call recall_session {"session_id":"birds"}');
  expect(read).toContain("Where do the herons nest?");
  expect(await service.say('/call recall_session {"session_id":"none"}')).toContain("No conversation none");
  expect(await service.say('/call session_search {"query":"herons"}', PEERS_TOKEN)).toContain("there is no tool named");
});

it("is written by the next process where one ended before", async () => {
  const folders = temporaryFolders();
  folders.configure("");
  {
    await using first = await startTestService({ folders, env: { SVC_DISABLE_MEMORY: "yes" } });
    await first.wire.say("Where do the herons nest?");
  }
  expect(existsSync(join(folders.home, "memory"))).toBe(false);
  const path = join(folders.home, "elsewhere");
  await using next = await startTestService({ folders, env: { ...WITH_SUMMARIES, MEMORY_PATH: path } });
  const list = async () => ((await (await fetch(`${next.url}${SESSIONS}`)).json()) as { sessions: object[] }).sessions;
  await expect.poll(list).toMatchObject([{ topic: "Where do the herons nest?", surface: "a2a/other" }]);
  expect(readdirSync(path)).toHaveLength(1);
});

it("shows no lines of earlier conversations to a request that brings its history (K16)", async () => {
  await using service = await startGatedService({ env: WITH_SUMMARIES });
  const { ask } = service;
  await ask("POST", "/api/chat", { session_id: "nest", message: "Where do the herons nest?" });
  await expect.poll(async () => (await ask("GET", "/api/memory/sessions")).body.sessions).toHaveLength(1);
  const completes = (messages: readonly object[]) => ask("POST", "/v1/chat/completions", { model: "", messages });
  const user = (content: string) => ({ role: "user", content });
  await completes([user("Good morning")]);
  const brought = [user("Good morning"), { role: "assistant", content: "Hello." }, user("And now?")];
  expect((await completes(brought)).status).toBe(200);
  const { injections } = (await ask("GET", "/api/memory/injections")).body;
  expect(injections.map((row: { digest_session_ids: string[] }) => row.digest_session_ids)).toEqual([["nest"]]);
});
