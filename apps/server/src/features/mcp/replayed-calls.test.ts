/** Calls made once more to a server that changed since (M19). */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Json, temporaryFolders } from "../../testing/index.ts";
import { type McpTestServer, startMcpServer } from "../../testing/mcp-server.ts";
import { startTestService, type TestService } from "../../testing/test-service.ts";

const SECRET = "a-known-s3cret-of-docs";
const folders = temporaryFolders();
const find = { name: "find", annotations: { readOnlyHint: true } };
let server: McpTestServer;
let running: TestService;
beforeAll(async () => {
  server = await startMcpServer([find, { name: "pay" }, { name: "drop", annotations: { destructiveHint: true } }]);
  const headers = `{ Authorization: "Bearer ${SECRET}" }`;
  folders.configure(`mcp: { enabled: true, servers: [{ name: docs, url: "${server.url}", headers: ${headers} }] }\n`);
  running = await startTestService({ folders });
});
afterAll(async () => {
  await running?.stop();
  await server?.[Symbol.asyncDispose]();
  folders.remove();
});

async function request(method: string, path: string, body?: object, headers: { readonly [name: string]: string } = {}) {
  const response = await fetch(running.url + path, {
    ...{ method, headers: { "content-type": "application/json", ...headers } },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Json };
}
const ready = () =>
  expect.poll(async () => (await request("GET", "/api/mcp/servers")).body.servers[0]?.state).toBe("ready");
const listed = async (): Promise<Json[]> => (await request("GET", "/api/mcp/servers/docs/calls")).body.calls;
const replay = (call: string, body?: object, headers = {}) =>
  request("POST", `/api/mcp/calls/${call}/replay`, body, headers);

/** Makes a direct call; resolves with the id of the call. */
async function made(tool: string, args: object): Promise<string> {
  const { body } = await request("POST", `/api/tools/docs__${tool}/call`, { args });
  return (await listed()).find(({ task_id: task }) => task === body.task_id)?.call_id as string;
}

it("sends what was sent, shows both results, and is a direct call of the list itself, once for each key", async () => {
  await ready();
  server.answer = (args) => `found ${JSON.stringify(args)}`;
  const first = await made("find", { q: 1 });
  const same = await replay(first);
  expect(same).toMatchObject({ status: 200, body: { tool: "find", args: '{"q":1}', same: true } });
  server.answer = () => "nothing found";
  const before = server.calls.length;
  const key = { "idempotency-key": "once" };
  const changed = await replay(first, undefined, key);
  expect(changed.body).toMatchObject({
    ...{ call_id: first, server: "docs", same: false },
    before: { outcome: "ok", result: 'found {"q":1}' },
    after: { state: "completed", outcome: "ok", result: "nothing found" },
  });
  expect((await replay(first, undefined, key)).body.after.task_id).toBe(changed.body.after.task_id);
  expect(server.calls.slice(before)).toEqual([{ q: 1 }]);
  expect((await listed())[0]).toMatchObject({ task_id: changed.body.after.task_id, direct: true, tool: "find" });
});

it("of a tool that may have effects wants to be confirmed, and approvals hold", async () => {
  await ready();
  server.answer = () => "paid";
  const paid = await made("pay", { to: "Ann" });
  const before = server.calls.length;
  const { body: recorded } = await request("GET", `/api/mcp/calls/${paid}`);
  expect(recorded).toMatchObject({ confirm: true, refusal: null, args: '{"to":"Ann"}', result: "paid", tool: "pay" });
  const asked = await replay(paid);
  expect([asked.status, JSON.stringify(asked.body)]).toEqual([409, expect.stringContaining("`confirm`")]);
  expect(server.calls).toHaveLength(before);
  expect((await replay(paid, { confirm: true })).body).toMatchObject({ same: true });
  expect(server.calls).toHaveLength(before + 1);

  const { body: waits } = await request("POST", "/api/tools/docs__drop/call", { args: {} });
  await request("POST", `/api/approvals/${waits.input_required.prompt_id}`, { decision: "approve" });
  await expect.poll(async () => (await listed())[0]).toMatchObject({ tool: "drop", outcome: "ok" });
  const { body: again } = await replay((await listed())[0]?.call_id, { confirm: true });
  expect(again).toMatchObject({ same: null, after: { state: "input-required", input_required: { kind: "approval" } } });
});

describe("is refused with one sentence, repeats nothing, and nothing is sent", () => {
  const refused = async (call: string, status: number, sentence: RegExp) => {
    const before = server.calls.length;
    const answer = await replay(call, { confirm: true });
    expect([answer.status, answer.body.detail]).toEqual([status, expect.stringMatching(sentence)]);
    expect(JSON.stringify(answer.body)).not.toContain("s3cret");
    expect(server.calls).toHaveLength(before);
  };

  it("where there is no such call of an MCP server", async () => {
    await request("POST", "/api/tools/calculator/call", { args: { expression: "1" } });
    await refused("s3cret", 404, /no such call/);
    const sql = "SELECT id FROM call WHERE name = 'calculator'";
    const [row] = await running.service.core.db.read({ sql, args: [] });
    const call = row?.[0] as string;
    expect(call).toMatch(/./);
    await refused(call, 404, /no such call/);
  });

  it.each([
    ["what stands for a secret", { token: "***" }],
    ["a secret", { token: SECRET }],
  ])("where the arguments hold %s", async (_what, args) => {
    await ready();
    const call = await made("find", args);
    await refused(call, 409, /hold a secret/);
    const { body } = await request("GET", `/api/mcp/calls/${call}`);
    expect(body).toMatchObject({ args: '{"token":"***"}', refusal: expect.stringContaining("hold a secret") });
  });

  it("where it is of an incognito turn", async () => {
    await ready();
    await request("POST", "/api/chat", { message: "/call docs__find {}", session_id: "quiet", incognito: true });
    await refused((await listed())[0]?.call_id, 409, /incognito/);
  });

  it("where its arguments were removed with the details of its turn", async () => {
    await ready();
    const call = await made("find", { q: 2 });
    const statements = [{ sql: "UPDATE call SET args = '' WHERE id = ?", args: [call] }];
    await running.service.core.db.commit({ label: "test.retention", statements });
    await refused(call, 409, /were removed/);
  });

  it("where the tool takes other arguments by now, or is gone", async () => {
    await ready();
    const call = await made("find", { q: 3 });
    const inputSchema = { type: "object", properties: { q: { type: "string" } } };
    server.tools = [{ ...find, inputSchema }];
    await request("POST", "/api/mcp/servers/docs/restart");
    await expect.poll(async () => (await request("GET", "/api/mcp/servers/docs")).body.held_count).toBe(1);
    await refused(call, 409, /does not have this tool now/);
    const { tools } = (await request("GET", "/api/mcp/servers/docs")).body;
    const { name, digest } = tools.find((tool: Json) => tool.name === "find");
    await request("POST", "/api/mcp/servers/docs/definitions", { approve: [{ name, digest }] });
    const other = await replay(call);
    expect(other).toMatchObject({ status: 422, body: { detail: [{ loc: ["body", "args", "q"] }] } });
  });
});
