/** Documents over the operator API (K22, K24). */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { pdfOf } from "@agent-service/agent-core/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type GatedService, PEERS_TOKEN, startGatedService } from "../../testing/gated-service.ts";
import { temporaryFolders } from "../../testing/index.ts";
import { startTestService } from "../../testing/test-service.ts";

const INGEST = "/api/knowledge/ingest";
const HANDBOOK =
  "---\ntitle: The handbook\n---\n# Office\n\n## Hours\n\nNine to five.\n\n## Plants\n\nWater the ferns on Monday.\n";

let service: GatedService;
beforeAll(async () => {
  service = await startGatedService();
});
afterAll(() => service[Symbol.asyncDispose]());

async function upload(parts: readonly (readonly [string, string | File])[], query = "", token = "the-operators") {
  const form = new FormData();
  for (const [name, value] of parts) form.append(name, value);
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${service.running.url}${INGEST}${query}`, { method: "POST", headers, body: form });
  // biome-ignore lint/suspicious/noExplicitAny: what was answered; every answer is held against its schema by the service
  return { status: response.status, body: (await response.json()) as any };
}
const file = (content: string | Uint8Array<ArrayBuffer>, name: string, type = "") =>
  ["file", new File([content], name, { type })] as const;
const found = async (q: string) =>
  (await service.ask("GET", `/api/knowledge/search?q=${encodeURIComponent(q)}`)).body.results as {
    id: number;
    heading: string;
    source_id: number;
  }[];

it("make no store by being looked for", async () => {
  await using fresh = await startGatedService();
  for (const path of ["sources", "search?q=x"])
    expect((await fresh.ask("GET", `/api/knowledge/${path}`)).status).toBe(200);
  const headers = { authorization: "Bearer the-operators" };
  expect(await (await fetch(`${fresh.running.url}/api/knowledge/export`, { headers })).text()).toBe("");
  expect((await fresh.ask("GET", "/api/knowledge/sources/1")).status).toBe(404);
  expect((await fresh.ask("POST", "/api/knowledge/delete-by-source", { source: "x" })).status).toBe(404);
  expect((await fresh.ask("GET", "/api/runtime/status")).body.knowledge).toMatchObject({
    unembedded: 0,
    dimensions: null,
  });
  expect(existsSync(join(fresh.running.folders.home, "knowledge"))).toBe(false);
});

describe("documents", () => {
  it("are read into memories by their sections, which name them, and are found at once", async () => {
    const read = await upload([file(HANDBOOK, "handbook.md"), ["domain", "Work"]]);
    expect(read).toMatchObject({ status: 200, body: { chunks: 3, title: "The handbook", source_type: "markdown" } });
    const [hit] = await found("ferns");
    expect(hit).toMatchObject({
      ...{ heading: "The handbook › Office › Plants", domain: "work", trust: "outside", memory_kind: "reference" },
      ...{ source: "The handbook", source_id: read.body.source_id, source_type: "markdown" },
    });
    expect(read.body.ids).toContain(hit?.id);
    const again = await upload([file(HANDBOOK, "other-name.md"), ["domain", "work"]]);
    expect(again.body).toEqual(read.body);
    expect((await upload([file(HANDBOOK, "handbook.md"), ["domain", "elsewhere"]])).body.source_id).not.toBe(
      read.body.source_id,
    );
  });

  it("go out of every search at once and come back within a day (K24)", async () => {
    const { body } = await upload([file("Zebras graze at dawn.", "zebras.txt")]);
    const { source_id } = body;
    const remove = () => service.ask("POST", "/api/knowledge/delete-by-source", { source_id });
    expect(await remove()).toEqual({ status: 200, body: { enabled: true, deleted: 1 } });
    expect([await found("zebras"), (await remove()).status]).toEqual([[], 404]);
    expect((await service.ask("GET", `/api/knowledge/sources/${source_id}`)).body).toMatchObject({ state: "removed" });
    const restored = await service.ask("POST", "/api/knowledge/restore-by-source", { source: "zebras.txt" });
    expect(restored).toEqual({ status: 200, body: { enabled: true, restored: 1 } });
    expect(await found("zebras")).toMatchObject([{ source_id }]);
    await remove();
    expect((await upload([file("Zebras graze at dawn.", "zebras.txt")])).body.source_id).toBe(source_id);
    expect(await found("zebras")).toHaveLength(1);
  });

  it("answer before they are read where one does not wait, and say how far they are", async () => {
    const text = Array.from({ length: 400 }, (_, i) => `## Part ${i}\n\n${"quokka words ".repeat(40)}`).join("\n\n");
    const { status, body } = await upload([file(text, "long.md")], "?wait=false");
    expect([status, body.state]).toEqual([202, "queued"]);
    const state = async () => (await service.ask("GET", `/api/knowledge/sources/${body.source_id}`)).body;
    const shown = new Set<number>();
    const look = async () =>
      shown.add((await service.ask("GET", "/api/knowledge/search?q=quokka&k=200")).body.results.length);
    while ((await state()).state !== "ready") await look();
    await look();
    // Half a document is never seen.
    expect([...shown].filter((count) => count !== 0)).toEqual([200]);
    expect(await state()).toMatchObject({ total: 400, done: 400, error: null });
    expect(await found("quokka")).not.toEqual([]);
    const first = (await service.ask("GET", "/api/knowledge/sources?limit=1")).body;
    expect(first.sources).toMatchObject([{ id: body.source_id, name: "long.md" }]);
    expect((await service.ask("GET", `/api/knowledge/sources?cursor=${first.next_cursor}`)).body.sources).not.toEqual(
      [],
    );
  });

  it("come as PDF and HTML, and their names name no file", async () => {
    const pdf = await upload([file(new Uint8Array(pdfOf("Wombats dig at night.")), "../../etc/x.pdf")]);
    expect(pdf).toMatchObject({ status: 200, body: { source_type: "pdf", title: "x.pdf" } });
    expect(await found("wombats")).toMatchObject([{ heading: "x.pdf › page 1" }]);
    const html = await upload([file("<html><title>Geckos</title><p>Geckos climb glass.</p></html>", "g.html")]);
    expect(html.body).toMatchObject({ source_type: "html", title: "Geckos" });
  });

  it("hold no secret", async () => {
    const { status } = await upload([file(`The token is the-operators. ${"word ".repeat(20_000)}`, "secret.txt")]);
    expect([status, await found("token")]).toMatchObject([
      200,
      [{ content: expect.not.stringContaining("the-operators") }],
    ]);
  });

  const big = new Uint8Array(32 * 1024 * 1024 + 1).fill(97);
  it.each<[string, Parameters<typeof upload>[0], number]>([
    ["nothing", [], 400],
    ["a file and a text", [file("a", "a.txt"), ["text", "b"]], 400],
    ["two files", [file("a", "a.txt"), file("b", "b.txt")], 400],
    ["an empty file", [file("", "a.txt")], 400],
    ["blanks", [file(" \n ", "a.txt")], 400],
    ["a picture", [file(new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 0]), "a.md")], 415],
    ["a damaged PDF", [file("%PDF-1.7 and no more", "a.pdf")], 400],
    ["32 MiB and a byte", [file(big, "a.txt")], 413],
    ["a blank domain", [file("a", "a.txt"), ["domain", " "]], 422],
    ["a field twice", [file("a", "a.txt"), ["title", "x"], ["title", "y"]], 400],
  ])("are refused: %s", async (_, parts, status) => {
    expect((await upload(parts)).status).toBe(status);
  });

  it.each([
    [{ text: "a", url: "https://example.org/" }, 400],
    [{}, 400],
    [{ text: " " }, 400],
    [{ url: "http://127.0.0.1:1/" }, 400],
    [{ url: "ftp://example.org/" }, 400],
    [{ text: 7 }, 422],
  ])("are refused as JSON: %j with %i", async (body, status) => {
    expect((await service.ask("POST", INGEST, body)).status).toBe(status);
    expect((await service.ask("POST", INGEST, body, PEERS_TOKEN)).status).toBe(403);
  });

  it.each([
    ["POST", "/api/knowledge/delete-by-source", {}, 400],
    ["POST", "/api/knowledge/delete-by-source", { source: "a", source_id: 1 }, 400],
    ["POST", "/api/knowledge/delete-by-source", { source_id: 0 }, 422],
    // Blank is the address of everything that was handed over: no document is meant by it.
    ["POST", "/api/knowledge/delete-by-source", { source: "" }, 400],
    ["POST", "/api/knowledge/restore-by-source", { source: "" }, 400],
    ["POST", "/api/knowledge/restore-by-source", { source: "unknown" }, 404],
    ["GET", "/api/knowledge/sources/0", undefined, 404],
    ["GET", "/api/knowledge/sources/999", undefined, 404],
    ["GET", "/api/knowledge/sources?cursor=x", undefined, 422],
    ["GET", "/api/knowledge/search?q=%00", undefined, 422],
    ["GET", "/api/knowledge/search?q=%ED%A0%80", undefined, 200],
    ["GET", "/api/knowledge/search?q=%22%20OR%20NEAR(a%20b,%201)%20*%20-%20title:", undefined, 200],
    ["POST", "/api/knowledge/import", {}, 400],
    ["POST", "/api/knowledge/import", { text: 7 }, 422],
  ])("%s %s with %j is %i", async (method, path, body, status) => {
    expect((await service.ask(method, path, body)).status).toBe(status);
  });
});

it("reads a document for one conversation: short ones whole, long ones recalled there alone, and gone with it (K23)", async () => {
  await using local = await startTestService();
  const attach = async (text: string, session_id = "talk") => {
    const form = new FormData();
    form.append("session_id", session_id);
    form.append("file", new File([text], "notes.md"));
    const response = await fetch(`${local.url}/api/knowledge/attach`, { method: "POST", body: form });
    return { status: response.status, body: await response.json() };
  };
  const say = (session_id: string) =>
    fetch(`${local.url}/api/chat`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ session_id, message: "What of the echidnas?" }),
    });
  const recalled = async (session: string) => {
    const response = await fetch(`${local.url}/api/chat/sessions/${session}/turns`);
    return ((await response.json()) as { turns: { recalled?: object[] }[] }).turns.flatMap(
      (turn) => turn.recalled ?? [],
    );
  };
  expect(await attach("# Short\n\nEchidnas dig.")).toMatchObject({
    ...{ status: 200, body: { mode: "inline", context: "Short\n\nEchidnas dig.", source_id: null } },
  });
  const long = `Echidnas sleep by day.\n\n${"Other words. ".repeat(1_000)}`;
  const { body } = await attach(long);
  expect(body).toMatchObject({ mode: "indexed", source_type: "markdown" });
  expect((body as { context: string }).context).toHaveLength(2_000);
  await say("talk");
  await say("other");
  expect([(await recalled("talk")).length, (await recalled("other")).length]).toEqual([1, 0]);
  const search = async () =>
    ((await (await fetch(`${local.url}/api/knowledge/search?q=echidnas`)).json()) as { results: object[] }).results;
  expect(await search()).toEqual([]);
  expect(((await (await fetch(`${local.url}/api/knowledge/sources`)).json()) as { sources: object[] }).sources).toEqual(
    [],
  );
  await fetch(`${local.url}/api/chat/sessions/talk`, { method: "DELETE" });
  await expect
    .poll(
      async () =>
        (await fetch(`${local.url}/api/knowledge/sources/${(body as { source_id: number }).source_id}`)).status,
    )
    .toBe(404);
  expect((await attach("")).status).toBe(400);
  expect((await attach("x", "")).status).toBe(422);
});

it("fetches addresses through the guard, and replaces what it read from one before", async () => {
  let page = "Tapirs swim.";
  const site = createServer((_, response) => response.setHeader("content-type", "text/plain").end(page)).listen(
    0,
    "127.0.0.1",
  );
  await new Promise((resolve) => site.once("listening", resolve));
  const url = `http://127.0.0.1:${(site.address() as AddressInfo).port}/tapirs.txt`;
  await using local = await startTestService({ config: "egress: {allowed_hosts: [127.0.0.1]}\n" });
  const post = async (path: string, body: object) =>
    (
      await fetch(local.url + path, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      })
    ).json();
  const first = (await post(INGEST, { url })) as { source_id: number; title: string };
  expect(first).toMatchObject({ title: "tapirs.txt", chunks: 1 });
  page = "Tapirs eat leaves.";
  const second = (await post(INGEST, { url })) as { source_id: number };
  const contents = async () => {
    const { results } = (await (await fetch(`${local.url}/api/knowledge/search?q=tapirs`)).json()) as {
      results: { content: string }[];
    };
    return results.map(({ content }) => content);
  };
  expect(second.source_id).not.toBe(first.source_id);
  expect(await contents()).toEqual(["Tapirs eat leaves."]);
  await post("/api/knowledge/restore-by-source", { source_id: first.source_id });
  expect(await contents()).toEqual(["Tapirs swim."]);
  site.close();
  site.closeAllConnections();
});

it("goes on after a restart with what was not read yet", async () => {
  const folders = temporaryFolders();
  folders.configure("");
  const texts = Array.from({ length: 4 }, (_, i) =>
    `${i} ${createHash("sha256").update(String(i)).digest("hex")} numbat `.repeat(9_000),
  );
  {
    await using first = await startTestService({ folders });
    for (const text of texts) {
      const form = new FormData();
      form.append("file", new File([text], "n.txt"));
      expect((await fetch(`${first.url}${INGEST}?wait=false`, { method: "POST", body: form })).status).toBe(202);
    }
  }
  await using second = await startTestService({ folders });
  const states = async () => {
    const { sources } = (await (await fetch(`${second.url}/api/knowledge/sources`)).json()) as {
      sources: { state: string; total: number; done: number }[];
    };
    return sources.map(({ state, total, done }) => [state, total === done]);
  };
  await expect.poll(states).toEqual(texts.map(() => ["ready", true]));
});
