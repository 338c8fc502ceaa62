/** MCP servers added, imported, changed and removed through HTTP (M3, M4, M16). */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type GatedService, PEERS_TOKEN, startGatedService } from "../../testing/gated-service.ts";
import { CATALOG } from "./catalog/index.ts";

let service: GatedService;
beforeAll(async () => {
  service = await startGatedService();
});
afterAll(() => service[Symbol.asyncDispose]());
const ask: GatedService["ask"] = (...request) => service.ask(...request);
const file = (name: string): string => {
  const path = join(service.running.folders.config, name);
  return existsSync(path) ? readFileSync(path, "utf8") : "";
};
const config = (): string => file("agent-config.yaml");
const overlay = (): string => file("secrets.yaml");
/** No address that a test names answers: the port of a socket that was closed is not taken by others at once. */
const NOWHERE = "http://127.0.0.1:9/mcp";

it("none is there at first, and MCP is off", async () => {
  expect(await ask("GET", "/api/mcp/servers")).toEqual({ status: 200, body: { enabled: false, servers: [] } });
  const { body } = await ask("GET", "/api/runtime/status");
  expect(body.features.mcp).toEqual({ available: true, enabled: false });
});

it("one that is added turns MCP on, and its values go to the overlay", async () => {
  const body = {
    name: "docs",
    url: NOWHERE,
    headers: { Authorization: "Bearer s3cret-token", "X-Region": "${REGION:-eu}" },
  };
  expect(await ask("POST", "/api/mcp/servers", body)).toEqual({
    status: 200,
    body: { ok: true, name: "docs", servers: ["docs"] },
  });
  const { body: list } = await ask("GET", "/api/mcp/servers");
  expect(list).toMatchObject({
    enabled: true,
    servers: [{ name: "docs", transport: "streamable_http", enabled: true }],
  });
  expect(config()).not.toContain("s3cret");
  expect(overlay()).toContain("s3cret-token");
  const { body: page } = await ask("GET", "/api/mcp/servers/docs");
  expect(JSON.stringify(page)).not.toContain("s3cret");
  expect(page.settings).toEqual({
    ...{ name: "docs", url: NOWHERE },
    headers: { Authorization: "Bearer ${AUTHORIZATION}", "X-Region": "${REGION:-eu}" },
  });
  expect(page.placeholders).toEqual([
    { name: "AUTHORIZATION", keys: ["headers"], is_set: true, has_default: false },
    { name: "REGION", keys: ["headers"], is_set: false, has_default: true },
  ]);
});

it("what is added again keeps what was not sent, and a secret goes to its address only", async () => {
  await ask("PATCH", "/api/mcp/servers/docs", { tools: { exclude: ["delete_*"] }, pinning: "new_ok" });
  await ask("POST", "/api/mcp/servers", {
    name: "docs",
    url: `${NOWHERE}?v=2`,
    headers: { Authorization: "Bearer ${AUTHORIZATION}" },
  });
  const { body: same } = await ask("GET", "/api/mcp/servers/docs");
  expect(same.settings).toMatchObject({ tools: { exclude: ["delete_*"] }, pinning: "new_ok", url: `${NOWHERE}?v=2` });
  expect(same.placeholders).toMatchObject([{ name: "AUTHORIZATION", is_set: true }]);
  const { body: moved } = await ask("PATCH", "/api/mcp/servers/docs", {
    url: "http://127.0.0.1:10/mcp",
    pinning: null,
  });
  expect(moved.settings).not.toHaveProperty("pinning");
  expect(moved.placeholders).toMatchObject([{ name: "AUTHORIZATION", is_set: false }]);
  expect(overlay()).not.toContain("s3cret-token");
  const { body: given } = await ask("PATCH", "/api/mcp/servers/docs", { secrets: { AUTHORIZATION: "another-s3cret" } });
  expect(given.placeholders).toMatchObject([{ is_set: true }]);
});

it("headers and variables are changed in place: what stands as a placeholder keeps its secret, a new value becomes one", async () => {
  const headers = { Authorization: "Bearer ${AUTHORIZATION}", "X-Key": "third-s3cret" };
  const { body: changed } = await ask("PATCH", "/api/mcp/servers/docs", { headers });
  expect(changed.settings.headers).toEqual({ Authorization: "Bearer ${AUTHORIZATION}", "X-Key": "${X_KEY}" });
  expect(changed.placeholders).toMatchObject([{ is_set: true }, { name: "X_KEY", is_set: true }]);
  expect([overlay().includes("another-s3cret"), overlay().includes("third-s3cret")]).toEqual([true, true]);
  const { body: fewer } = await ask("PATCH", "/api/mcp/servers/docs", {
    headers: { Authorization: "Bearer ${AUTHORIZATION}" },
  });
  expect(fewer.placeholders).toMatchObject([{ name: "AUTHORIZATION", is_set: true }]);
  expect([overlay().includes("third-s3cret"), config().includes("s3cret")]).toEqual([false, false]);
  await ask("POST", "/api/mcp/servers", { name: "local", command: "cat", env: { TOKEN: "t1-s3cret" }, enabled: false });
  const { body: program } = await ask("PATCH", "/api/mcp/servers/local", {
    ...{ command: "tac", args: ["-s"], env: { TOKEN: "${TOKEN}", MODE: "quick-s3cret" } },
  });
  expect(program.settings).toMatchObject({ command: "tac", args: ["-s"], env: { TOKEN: "${TOKEN}", MODE: "${MODE}" } });
  expect(program.placeholders).toMatchObject([{ is_set: true }, { is_set: true }]);
  expect(overlay()).toContain("t1-s3cret");
  expect((await ask("DELETE", "/api/mcp/servers/local")).status).toBe(200);
});

it("one of the catalogue needs only its inputs", async () => {
  const { body } = await ask("GET", "/api/mcp/catalog");
  expect(body.servers).toHaveLength(CATALOG.length);
  const refused = await ask("POST", "/api/mcp/servers", { catalog: "supabase", inputs: { PROJECT_REF: "abc" } });
  expect(refused).toMatchObject({
    status: 422,
    body: { detail: [{ msg: expect.stringContaining("SUPABASE_ACCESS_TOKEN") }] },
  });
  const inputs = { PROJECT_REF: "abcdefghij", SUPABASE_ACCESS_TOKEN: "sbp_s3cret" };
  const added = await ask("POST", "/api/mcp/servers", { catalog: "supabase", inputs, enabled: false });
  expect(added).toMatchObject({ status: 200, body: { name: "supabase", servers: ["docs", "supabase"] } });
  const { body: page } = await ask("GET", "/api/mcp/servers/supabase");
  expect(page.settings.args).toContain("--project-ref=abcdefghij");
  expect(page.settings.env).toEqual({ SUPABASE_ACCESS_TOKEN: "${SUPABASE_ACCESS_TOKEN}" });
  expect(config()).not.toContain("sbp_s3cret");
  const after = (await ask("GET", "/api/mcp/catalog")).body.servers;
  expect(after.find(({ id }: { id: string }) => id === "supabase")).toMatchObject({ installed: true });
});

it("another program's file is imported whole, and asks for what is missing", async () => {
  const raw = `{ // mine
    "mcpServers": {
      "Docs": { "url": "${NOWHERE}" },
      "My Files!": { "command": "npx", "args": ["-y", "files-mcp", "\${FOLDER}"], "env": { "TOKEN": "\${TOKEN}", "KEY": "k-s3cret" }, "disabled": true, "inherit_env": ["HOME"] },
      "ws": { "type": "ws", "url": "wss://a.example" },
    } }`;
  const { status, body } = await ask("POST", "/api/mcp/servers/import", { raw });
  expect(status).toBe(200);
  expect(body).toMatchObject({
    ...{ ok: true, added: ["my-files"], servers: ["docs", "supabase", "my-files"] },
    skipped: [
      { name: "ws", reason: expect.stringContaining("transport") },
      { name: "Docs", reason: expect.stringContaining("overwrite") },
    ],
    inputs: [
      { server: "my-files", key: "FOLDER", secret: false, required: true },
      { server: "my-files", key: "TOKEN", secret: true, required: true },
    ],
  });
  expect(JSON.stringify(body.warnings)).toContain("no fixed version");
  expect(JSON.stringify(body.warnings)).toContain("inherit_env");
  expect(config()).not.toContain("k-s3cret");
  expect(config()).not.toContain("inherit_env");
  const { body: page } = await ask("PATCH", "/api/mcp/servers/my-files", {
    ...{ inputs: { FOLDER: "/srv/shared" }, secrets: { TOKEN: "t-s3cret" } },
  });
  expect(page.settings).toMatchObject({ enabled: false, args: ["-y", "files-mcp", "/srv/shared"] });
  expect(page.placeholders.every(({ is_set: isSet }: { is_set: boolean }) => isSet)).toBe(true);
  expect(page.warnings.join()).toContain("no fixed version");
  const again = await ask("POST", "/api/mcp/servers/import", { raw, overwrite: true });
  expect(again.body.added).toEqual(["docs", "my-files"]);
});

it("one that is removed takes its secrets along", async () => {
  expect(await ask("DELETE", "/api/mcp/servers/my-files")).toEqual({
    status: 200,
    body: { ok: true, servers: ["docs", "supabase"] },
  });
  expect(overlay()).not.toContain("t-s3cret");
  expect(config()).not.toContain("my-files");
});

const stdio = { name: "a", command: "a" };
describe("what is wrong has its status and one sentence, repeats nothing and changes nothing", () => {
  it.each([
    ["a name in capitals", 422, "POST", "", { name: "S3cret", command: "a" }, /lower-case/],
    ["two underscores", 422, "POST", "", { name: "s3__cret", command: "a" }, /single underscores/],
    ["a reserved name", 422, "POST", "", { name: "import", command: "a" }, /not import/],
    ["no name", 422, "POST", "", { command: "s3cret" }, /`name` is missing/],
    ["no way to it", 422, "POST", "", { name: "a" }, /`command` or `url`/],
    ["two ways to it", 422, "POST", "", { ...stdio, url: "https://s3cret.example" }, /either `command` or `url`/],
    ["a credential in the address", 422, "POST", "", { name: "a", url: "https://u:s3cret@a.example" }, /as a header/],
    ["no address", 422, "POST", "", { name: "a", url: "s3cret" }, /http/],
    ["an unknown transport", 422, "POST", "", { name: "a", url: "https://a.example", transport: "s3cret" }, /stdio/],
    ["an unknown field", 422, "POST", "", { ...stdio, colour: "s3cret" }, /not known/],
    ["a relative folder", 422, "POST", "", { ...stdio, cwd: "s3cret" }, /absolute/],
    ["a variable's bad name", 422, "POST", "", { ...stdio, env: { "s3cret!": "x" } }, /names of variables/],
    [
      "a header of two lines",
      422,
      "POST",
      "",
      { name: "a", url: "https://a.example", headers: { X: "s3cret\nY: z" } },
      /line/,
    ],
    [
      "a value of none of its placeholders",
      422,
      "POST",
      "",
      { ...stdio, secrets: { S3CRET: "x" } },
      /name placeholders/,
    ],
    [
      "a value that is a placeholder",
      422,
      "POST",
      "",
      { ...stdio, args: ["${A}"], inputs: { A: "${s3cret}" } },
      /placeholder itself/,
    ],
    ["no such one in the catalogue", 404, "POST", "", { catalog: "s3cret" }, /catalog/],
    ["a text that is no JSON", 422, "POST", "/import", { raw: "s3cret: {" }, /is not JSON/],
    ["a text without servers", 422, "POST", "/import", { raw: '{"s3cret": 1}' }, /No server was found/],
    ["an empty text", 422, "POST", "/import", { raw: "" }, /text of a file/],
    ["a text over 1 MiB", 422, "POST", "/import", { raw: "s3cret".repeat(200_000) }, /larger than 1 MiB/],
    ["no such server", 404, "GET", "/s3cret", undefined, /no such server/],
    ["a change of no such server", 404, "PATCH", "/s3cret", { enabled: false }, /no such server/],
    ["removing no such server", 404, "DELETE", "/s3cret", undefined, /no such server/],
    ["restarting no such server", 404, "POST", "/s3cret/restart", undefined, /no such server/],
    ["deciding about no such server", 404, "POST", "/s3cret/definitions", { approve: [] }, /no such server/],
    ["calls of no such server", 404, "GET", "/s3cret/calls", undefined, /no such server/],
  ] as const)("%s: %i", async (_what, status, method, path, body, sentence) => {
    const before = config();
    const answer = await ask(method, `/api/mcp/servers${path}`, body);
    const text = JSON.stringify(answer.body);
    expect([answer.status, text]).toEqual([status, expect.stringMatching(sentence)]);
    expect(text.toLowerCase()).not.toContain("s3cret");
    expect(config()).toBe(before);
  });

  it("more than 64 servers: 409", async () => {
    const many = Object.fromEntries(
      Array.from({ length: 70 }, (_, at) => [`many-${at}`, { command: "a", disabled: true }]),
    );
    const { body } = await ask("POST", "/api/mcp/servers/import", { raw: JSON.stringify(many) });
    expect(body.servers).toHaveLength(64);
    expect(body.skipped.at(-1)).toMatchObject({ name: "many-69", reason: expect.stringContaining("at most 64") });
    expect(await ask("POST", "/api/mcp/servers", stdio)).toMatchObject({ status: 409 });
  });

  it("peers see none and change nothing: 403", async () => {
    for (const [method, path, body] of [
      ["GET", ""],
      ["POST", "", stdio],
      ["POST", "/test", stdio],
      ["DELETE", "/docs"],
    ] as const)
      expect((await ask(method, `/api/mcp/servers${path}`, body, PEERS_TOKEN)).status).toBe(403);
  });
});
