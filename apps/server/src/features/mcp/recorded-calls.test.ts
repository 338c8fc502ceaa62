/** Which calls of its tools a server's list has, over turns, direct calls, restarts and incognito sessions (M4). */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Json, temporaryFolders } from "../../testing/index.ts";
import { type McpTestServer, startMcpServer } from "../../testing/mcp-server.ts";
import { startTestService, type TestService } from "../../testing/test-service.ts";

const folders = temporaryFolders();
let server: McpTestServer;
let running: TestService;
const start = async () => {
  running = await startTestService({ folders });
};
const ready = () => expect.poll(async () => (await get("/api/mcp/servers")).servers[0]?.state).toBe("ready");
beforeAll(async () => {
  server = await startMcpServer([{ name: "find", annotations: { readOnlyHint: true } }, { name: "pay" }]);
  folders.configure(`mcp: { enabled: true, servers: [{ name: docs, url: "${server.url}" }] }\n`);
  await start();
});
afterAll(async () => {
  await running?.stop();
  await server?.[Symbol.asyncDispose]();
  folders.remove();
});

async function request(method: string, path: string, body?: object): Promise<Json> {
  const response = await fetch(running.url + path, {
    ...{ method, headers: { "content-type": "application/json" } },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return response.json() as Promise<Json>;
}
const get = (path: string) => request("GET", path);
const calls = async (query = "") => get(`/api/mcp/servers/docs/calls${query}`);

it("has those of turns and direct ones with their task and session, over a restart, by pages", async () => {
  await ready();
  expect(await calls()).toEqual({ calls: [], next_cursor: null });
  server.answer = () => "found it";
  await request("POST", "/api/chat", { message: '/call docs__find {"q": 1}', session_id: "talk" });
  server.answer = () => "paid";
  const direct = await request("POST", "/api/tools/docs__pay/call", { args: { to: "Ann" } });
  await request("POST", "/api/tools/calculator/call", { args: { expression: "1" } });
  const { calls: listed } = await calls();
  expect(listed).toMatchObject([
    { tool: "pay", outcome: "ok", direct: true, task_id: direct.task_id, session_id: direct.session_id, bytes: 4 },
    { tool: "find", outcome: "ok", direct: false, session_id: "talk", bytes: 8, approx_tokens: 2, caller: "operator" },
  ]);
  expect(listed.every((one: Json) => one.ms >= 0 && !one.incognito)).toBe(true);

  await running.stop();
  await start();
  await ready();
  expect((await calls()).calls).toEqual(listed);
  const first = await calls("?limit=1");
  const rest = await calls(`?limit=1&cursor=${first.next_cursor}`);
  expect([...first.calls, ...rest.calls, rest.next_cursor]).toEqual([...listed, null]);
});

it("has those of an incognito session until it ends", async () => {
  const before = (await calls()).calls.length;
  const body = { message: '/call docs__find {"q": "hush"}', session_id: "quiet", incognito: true };
  await request("POST", "/api/chat", body);
  const [call, ...others] = (await calls()).calls;
  expect(call).toMatchObject({ tool: "find", incognito: true, session_id: "quiet" });
  expect(others).toHaveLength(before);
  await request("DELETE", "/api/chat/sessions/quiet");
  expect((await calls()).calls).toEqual(others);
});
