/** What is sent to memory and should not be: each is answered as documented, and the service goes on (K1, K5, K12, K15, K21 to K24, K27). */
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { temporaryFolders } from "../../testing/index.ts";
import { startTestService, type TestService, WITH_SUMMARIES } from "../../testing/test-service.ts";

const folders = temporaryFolders();
let service: TestService;

async function ask(method: string, path: string, body?: unknown): Promise<{ status: number; text: string }> {
  const isForm = body instanceof FormData;
  const response = await fetch(service.url + path, {
    ...{ method, headers: isForm || body === undefined ? {} : { "content-type": "application/json" } },
    ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
  });
  return { status: response.status, text: await response.text() };
}

function form(...files: readonly (readonly [name: string, text: string | Uint8Array<ArrayBuffer>])[]): FormData {
  const parts = new FormData();
  for (const [name, text] of files) parts.append("file", new Blob([text]), name);
  return parts;
}

/** A PDF that opens with a password only: its key is made of values that no empty password has. */
const ENCRYPTED_PDF = `%PDF-1.4
1 0 obj
<</Type/Catalog/Pages 2 0 R>>
endobj
2 0 obj
<</Type/Pages/Kids[3 0 R]/Count 1>>
endobj
3 0 obj
<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>
endobj
4 0 obj
<</Filter/Standard/V 1/R 2/O<${"a1".repeat(32)}>/U<${"b2".repeat(32)}>/P -44>>
endobj
trailer
<</Root 1 0 R/Encrypt 4 0 R/ID[<${"c3".repeat(16)}><${"c3".repeat(16)}>]/Size 5>>
startxref
0
%%EOF
`;

describe("what is sent to memory and should not be", () => {
  beforeAll(async () => {
    folders.configure("");
    mkdirSync(join(folders.config, "skills"));
    symlinkSync("/etc", join(folders.config, "skills", "linked"));
    service = await startTestService({ folders, env: WITH_SUMMARIES });
  });
  afterAll(() => service[Symbol.asyncDispose]());

  it.each<readonly [method: string, path: string, body: unknown, status: number]>([
    ["POST", "/api/knowledge/chunks", { content: 5 }, 422],
    ["POST", "/api/knowledge/chunks", { content: "\ud800 half" }, 422],
    ["POST", "/api/knowledge/chunks", { content: "a\0b" }, 422],
    ["GET", "/api/knowledge/search?k=many", undefined, 422],
    ["GET", "/api/knowledge/search?q=%00", undefined, 422],
    ["GET", "/api/knowledge/search?q=%ED%A0%80", undefined, 200],
    ["GET", "/api/knowledge/search?q=%22%20NEAR(a%20NOT%20*", undefined, 200],
    ["PUT", "/api/knowledge/chunks/999", { content: "x" }, 404],
    ["DELETE", "/api/knowledge/chunks/999", undefined, 404],
    ["DELETE", "/api/knowledge/chunks/x", undefined, 404],
    ["POST", "/api/knowledge/chunks/999/review", { decision: "accept" }, 404],
    ["GET", "/api/knowledge/sources/999", undefined, 404],
    ["POST", "/api/knowledge/delete-by-source", { source: "nothing" }, 404],
    ["POST", "/api/memory/forget", {}, 400],
    ["POST", "/api/memory/forget", { chunk_ids: [1], subject: "x" }, 400],
    ["GET", "/api/memory/sessions/nothing", undefined, 404],
    ["GET", "/api/memory/sessions/..%2f..%2fx", undefined, 400],
    ["DELETE", "/api/memory/hot/999", undefined, 404],
    ["GET", "/api/playbooks/nothing", undefined, 404],
    ["POST", "/api/knowledge/ingest", undefined, 400],
    ["POST", "/api/knowledge/ingest", { url: "https://example.org", text: "x" }, 400],
    ["POST", "/api/knowledge/ingest", form(["a.txt", "a"], ["b.txt", "b"]), 400],
    ["POST", "/api/knowledge/ingest", form(["large.txt", new Uint8Array(32 * 1024 * 1024 + 1)]), 413],
  ])("%s %s %j is answered %i", async (method, path, body, status) => {
    const answer = await ask(method, path, body);
    expect([answer.status, answer.text]).toEqual([
      status,
      expect.stringMatching(status === 200 ? /"results":\[\]/ : /"detail":/),
    ]);
  });

  it("a file that names a place elsewhere is named by its last part, and one that is a link does nothing", async () => {
    const { status, text } = await ask("POST", "/api/knowledge/ingest", form(["../../x.txt", "Water the ferns."]));
    expect([status, JSON.parse(text)]).toEqual([200, expect.objectContaining({ title: "x.txt", chunks: 1 })]);
    expect((await ask("GET", "/api/playbooks/linked")).text).toContain("it is a link, which is not followed");
  });

  it("an encrypted PDF is a 400 that says so, and leaves no memory", async () => {
    const counted = async () => JSON.parse((await ask("GET", "/api/knowledge/search")).text).stats.total;
    const before = await counted();
    const answer = await ask("POST", "/api/knowledge/ingest", form(["secret.pdf", ENCRYPTED_PDF]));
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining("needs a password")]);
    const attached = form(["secret.pdf", ENCRYPTED_PDF]);
    attached.append("session_id", "s");
    expect((await ask("POST", "/api/knowledge/attach", attached)).status).toBe(400);
    expect(await counted()).toBe(before);
    const { sources } = JSON.parse((await ask("GET", "/api/knowledge/sources")).text);
    expect(sources).toContainEqual(expect.objectContaining({ name: "secret.pdf", state: "failed", total: 0 }));
  });

  it("a summary that was deleted by hand is gone, and a damaged one is a 422", async () => {
    await ask("POST", "/api/chat", { session_id: "birds", message: "/say herons" });
    expect((await ask("GET", "/api/memory/sessions/birds")).status).toBe(200);
    const file = join(folders.home, "memory", "birds.json");
    writeFileSync(file, "{broken");
    expect((await ask("GET", "/api/memory/sessions/birds")).status).toBe(422);
    rmSync(file);
    expect((await ask("GET", "/api/memory/sessions/birds")).status).toBe(404);
    expect((await ask("GET", "/api/memory/sessions")).text).not.toContain("birds");
  });
});

it("skills whose folder cannot be written are refused by route and tool, and what there is stays", async () => {
  const own = temporaryFolders();
  const root = join(own.config, "not-a-folder");
  own.configure(`skills: {dir: "${root}"}`);
  writeFileSync(root, "");
  await using running = await startTestService({ folders: own });
  service = running;
  const names = async () => (await ask("GET", "/api/playbooks")).text;
  const before = await names();
  const skill = { name: "water-ferns", description: "Waters the ferns. Use it on Mondays.", body: "Half a litre." };
  const answer = await ask("POST", "/api/playbooks", skill);
  expect([answer.status, answer.text]).toEqual([409, expect.stringContaining("cannot be written")]);
  const said = JSON.stringify(await running.wire.say(`/call save_skill ${JSON.stringify(skill)}`));
  expect(said).toContain("cannot be written");
  expect([await names(), readFileSync(root, "utf8")]).toEqual([before, ""]);
});

it("a store of a newer version costs memory, and nothing else", async () => {
  const own = temporaryFolders();
  own.configure("");
  const store = join(own.home, "memories.db");
  const env = { KNOWLEDGE_DB_PATH: store };
  {
    await using first = await startTestService({ folders: own, env });
    service = first;
    expect((await ask("POST", "/api/knowledge/chunks", { content: "Water the ferns." })).status).toBe(200);
  }
  const db = new DatabaseSync(store);
  db.exec("INSERT INTO schema_migration VALUES (999, 'of tomorrow', '', 0)");
  db.close();
  await using second = await startTestService({ folders: own, env });
  service = second;
  expect((await ask("GET", "/api/knowledge/search?q=ferns")).status).toBe(503);
  expect(JSON.stringify(await second.wire.say("/say still here"))).toContain("still here");
  expect((await ask("POST", "/api/knowledge/chunks", { content: "x" })).status).toBe(503);
});
