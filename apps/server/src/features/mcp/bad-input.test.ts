/** What is wrong with a request or a server has its status and says in one sentence what to change; nothing sent is repeated. */

import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Json, temporaryFolders } from "../../testing/index.ts";
import { type McpTestServer, startMcpServer } from "../../testing/mcp-server.ts";
import { startTestService, type TestService } from "../../testing/test-service.ts";

const folders = temporaryFolders();
let good: McpTestServer;
let broken: Server;
let running: TestService;
beforeAll(async () => {
  good = await startMcpServer([{ name: "find" }]);
  broken = createServer((request, response) => {
    const status = Number(request.url?.slice(1));
    response.writeHead(status || 200, { "content-type": "text/html" }).end("<p>s3cret page");
  }).listen(0, "127.0.0.1");
  await once(broken, "listening");
  folders.configure(`mcp:
  enabled: true
  servers:
    - { name: docs, url: "${good.url}" }
    - { name: docs, url: "${good.url}/s3cret" }
    - { name: S3CRET, url: "${good.url}" }
    - { name: both, url: "${good.url}", command: s3cret }
    - { name: neither }
    - { name: pigeon, url: "${good.url}", transport: s3cret }
    - { name: user, url: "https://s3cret:s3cret@a.example/" }
    - { name: late, url: "${good.url}", call_timeout: s3cret }
    - s3cret
`);
  running = await startTestService({ folders, env: { PATH: folders.root } });
});
afterAll(async () => {
  await running?.stop();
  await good?.[Symbol.asyncDispose]();
  broken?.close();
  folders.remove();
});

const at = (path: string) => `http://127.0.0.1:${(broken.address() as AddressInfo).port}/${path}`;
async function ask(method: string, path: string, body?: unknown) {
  const response = await fetch(running.url + path, {
    ...{ method, headers: { "content-type": "application/json" } },
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Json };
}
const config = () => readFileSync(join(folders.config, "agent-config.yaml"), "utf8");
const sentenceOf = ({ detail }: Json): string => (Array.isArray(detail) ? detail[0].msg : detail);

function expectSentence(text: string): void {
  expect(text).toMatch(/^["$`A-Z][^\n]+\.$/);
  expect(text.toLowerCase()).not.toContain("s3cret");
}

const S = "/api/mcp/servers";
const url = "https://a.example";
describe("a request", () => {
  it.each<readonly [string, number, string, string, unknown, RegExp]>([
    ["a body that is no JSON", 400, "POST", S, "{s3cret", /JSON/],
    ["a body that is no object", 422, "POST", S, ["s3cret"], /Object/],
    ["a name that is no text", 422, "POST", S, { name: 5, url }, /./],
    ["a name over 32 characters", 422, "POST", S, { name: "s3cret".repeat(9), url }, /32/],
    ["a name with a space", 422, "POST", S, { name: "s3 cret", url }, /a-z|lower-case/],
    ["a command that is blank", 422, "POST", S, { name: "a", command: "" }, /./],
    ["a command with arguments in it", 422, "POST", S, { name: "a", command: "s3cret\0" }, /NUL/],
    ["arguments that are no list", 422, "POST", S, { name: "a", command: "a", args: "s3cret" }, /./],
    ["an argument that is no text", 422, "POST", S, { name: "a", command: "a", args: [{ s3cret: 1 }] }, /./],
    [
      "a header that the connection sets",
      422,
      "POST",
      S,
      { name: "a", url, headers: { Host: "s3cret" } },
      /take it out/,
    ],
    ["a header's bad name", 422, "POST", S, { name: "a", url, headers: { "s3 cret": "x" } }, /names of HTTP headers/],
    [
      "headers of a program",
      422,
      "POST",
      S,
      { name: "a", command: "a", headers: { A: "s3cret" } },
      /a program takes `env`/,
    ],
    ["variables of an address", 422, "POST", S, { name: "a", url, env: { A: "s3cret" } }, /an address takes `headers`/],
    ["a folder of an address", 422, "PATCH", `${S}/docs`, { cwd: "/s3cret" }, /an address takes `headers`/],
    ["a transport that does not fit", 422, "POST", S, { name: "a", url, transport: "stdio" }, /./],
    [
      "an address with a password in a template",
      422,
      "POST",
      S,
      { name: "a", url: "https://s3cret:${P}@a.example" },
      /as a header/,
    ],
    ["an address of files", 422, "POST", S, { name: "a", url: "file:///s3cret" }, /https?:/],
    ["a timeout below 0", 422, "POST", S, { name: "a", url, call_timeout: -1 }, /call_timeout/],
    ["an unknown pinning", 422, "POST", S, { name: "a", url, pinning: "s3cret" }, /strict/],
    ["an unknown effect", 422, "POST", S, { name: "a", url, effects: { find: "s3cret" } }, /pure/],
    [
      "a server of the catalogue with its own command",
      422,
      "POST",
      S,
      { catalog: "filesystem", command: "s3cret" },
      /take yours out/,
    ],
    ["a change of the name", 422, "PATCH", `${S}/docs`, { name: "s3cret" }, /./],
    ["a change to two ways", 422, "PATCH", `${S}/docs`, { command: "s3cret", url }, /either/],
    ["a switch that is no switch", 422, "PATCH", `${S}/docs`, { enabled: "s3cret" }, /./],
    ["a value of no placeholder", 422, "PATCH", `${S}/docs`, { secrets: { S3CRET: "x" } }, /name placeholders/],
    ["a test without a way to it", 422, "POST", `${S}/test`, { name: "a" }, /`command` or `url`/],
    ["a test of what the catalogue lacks", 404, "POST", `${S}/test`, { catalog: "s3cret" }, /catalog/],
    ["an import of a list", 422, "POST", `${S}/import`, { raw: '["s3cret"]' }, /JSON object/],
    ["an import of a bare entry", 422, "POST", `${S}/import`, { raw: '{"command": "s3cret"}' }, /has no name/],
    ["an import that is no text", 422, "POST", `${S}/import`, { raw: { mcpServers: "s3cret" } }, /./],
    [
      "an import with a comma too few",
      422,
      "POST",
      `${S}/import`,
      { raw: '{"mcpServers": {"s3cret": {} "b": {}}}' },
      /is not JSON/,
    ],
    [
      "a decision about what was never shown",
      404,
      "POST",
      `${S}/docs/definitions`,
      { approve: [{ name: "s3cret", digest: "d" }] },
      /./,
    ],
    ["a page of calls by no cursor", 422, "GET", `${S}/docs/calls?cursor=s3cret`, undefined, /cursor/],
    ["a call that is not there", 404, "GET", "/api/mcp/calls/s3cret", undefined, /no such call/],
    ["a replay that is not there", 404, "POST", "/api/mcp/calls/s3cret/replay", {}, /no such call/],
    ["a restart of one whose settings cannot be used", 409, "POST", `${S}/both/restart`, undefined, /either/],
  ])("with %s: %i", async (_what, status, method, path, body, sentence) => {
    const before = config();
    const answer = await ask(method, path, body);
    expect([answer.status, sentenceOf(answer.body)]).toEqual([status, expect.stringMatching(sentence)]);
    expectSentence(sentenceOf(answer.body));
    expect(JSON.stringify(answer.body).toLowerCase()).not.toContain("s3cret");
    expect(config()).toBe(before);
  });
});

describe("a server that is tried", () => {
  it.each<readonly [string, () => object, RegExp]>([
    ["nothing listens", () => ({ url: "http://127.0.0.1:9/s3cret" }), /not reached \(ECONNREFUSED\); check `url`/],
    ["no such host", () => ({ url: "http://s3cret.invalid/" }), /host of its address is not known; check `url`/],
    ["a page that is not MCP", () => ({ url: at("200") }), /check that `url` is that of an MCP server/],
    ["404", () => ({ url: at("404") }), /status 404; check the path/],
    ["403", () => ({ url: at("403") }), /status 403; check the credential/],
    ["500", () => ({ url: at("500") }), /status 500; its log has the reason/],
    ["401", () => ({ url: at("401") }), /wants a sign-in/],
    ["no such program", () => ({ command: "s3cret-program" }), /no program of its `command`/],
    [
      "a file that is no program",
      () => ({ command: join(folders.config, "agent-config.yaml") }),
      /may not be executed/,
    ],
    ["a program that ends", () => ({ command: process.execPath, args: ["-e", "0"] }), /its program ended; its log/],
    ["no such folder", () => ({ command: process.execPath, cwd: "/no/s3cret" }), /mend `cwd`/],
    ["no value", () => ({ url: good.url, headers: { A: "${MISSING}" } }), /\$\{MISSING\} has no value; store it/],
  ])("%s: it does not work, in one sentence", async (_what, body, sentence) => {
    const { status, body: answer } = await ask("POST", `${S}/test`, body());
    expect([status, answer.ok]).toEqual([200, false]);
    expect(answer.error).toMatch(sentence);
    expect(answer.error).toMatch(/^[^\n]+$/);
    expect(answer.error).not.toContain("s3cret");
    expect(answer.tools).toEqual([]);
  });
});

it("entries of the file that are wrong are their own state, with what to change, and the good one runs", async () => {
  const servers = async () => (await ask("GET", S)).body.servers as Json[];
  await expect.poll(async () => (await servers())[0]?.state).toBe("ready");
  const [, ...wrong] = await servers();
  expect(wrong.every(({ state }) => state === "misconfigured")).toBe(true);
  expect(wrong.map(({ name, detail }) => [name, detail])).toEqual([
    ["docs-2", expect.stringContaining("another server of the list has the same `name`; give this one")],
    ["s3cret", expect.stringContaining("`name` is at most 32")],
    ["both", expect.stringContaining("take one of them out")],
    ["neither", expect.stringContaining("give one")],
    ["pigeon", expect.stringContaining("leave it out")],
    ["user", expect.stringContaining("give it as a header")],
    ["late", expect.stringContaining("`call_timeout` is a number")],
    ["server", expect.stringContaining("is a mapping with `name`")],
  ]);
  expect(
    wrong
      .map(({ detail }) => detail)
      .join()
      .toLowerCase(),
  ).not.toContain("s3cret");
});
