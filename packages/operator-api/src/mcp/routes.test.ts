import { describe, expect, it } from "vitest";
import { Problem } from "../problem/index.ts";
import { askRoutes } from "../testing/index.ts";
import { type McpServerPage, type McpServerRow, type McpService, mcpRoutes } from "./routes.ts";

const row: McpServerRow = {
  ...{ name: "docs", transport: "streamable_http", enabled: true, state: "backoff", detail: "It refused.", era: null },
  ...{ tool_count: 0, held_count: 1, calls_running: 0, restarts: 2, next_attempt_at: "2026-11-23T06:00:00.000Z" },
  ...{ auth: "none", auth_ends_at: null, warnings: [] },
};
const server: McpServerPage = {
  ...row,
  ...{ tools: [], log: ["refused"], settings: { name: "docs" }, placeholders: [] },
};

function mcp() {
  const asked: unknown[] = [];
  const done =
    <T>(what: string, answer: T) =>
    async (...sent: readonly unknown[]): Promise<T> => {
      asked.push([what, ...sent.filter((one) => !(one instanceof AbortSignal))]);
      return answer;
    };
  const call = {
    call_id: "c-1",
    task_id: "t-1",
    session_id: "s-1",
    caller: "operator",
    direct: false,
    incognito: false,
    tool: "find",
    outcome: "ok",
    ms: 3,
    bytes: 10,
    approx_tokens: 3,
  } as const;
  const calls = ["c-3", "c-2", "c-1"].map((id) => ({ ...call, call_id: id, at: "2026-11-23T06:00:00.000Z" }));
  const recorded = {
    ...{ ...call, call_id: "c-1", at: "2026-11-23T06:00:00.000Z", server: "docs", full_name: "docs__find", args: "{}" },
    ...{ result: "found", confirm: false, refusal: null },
  };
  const service: McpService = {
    list: () => ({ enabled: true, servers: [row] }),
    read: (name) => (name === "docs" ? server : undefined),
    add: done("add", { name: "docs", servers: ["docs"] }),
    import: done("import", { added: [], servers: ["docs"], skipped: [], inputs: [], warnings: [] }),
    edit: done("edit", server),
    remove: done("remove", []),
    test: done("test", { ok: false, era: null, tools: [], resources: [], error: "It refused." }),
    restart: done("restart", row),
    async decide(name) {
      if (name !== "docs") throw new Problem(409, "A definition changed; look at it again.");
      return server;
    },
    async calls(_, { limit, before }) {
      const from = before === undefined ? 0 : calls.findIndex((one) => one.call_id === before.callId) + 1;
      return calls.slice(from, from + limit);
    },
    beginSignIn: done("begin", { url: "https://login.example/authorize", state: "once" }),
    finishSignIn: done("finish", row),
    signOut: done("sign out", row),
    call: async (id) => (id === "c-1" ? recorded : undefined),
    replay: done("replay", {
      ...{ call_id: "c-1", server: "docs", tool: "find", args: "{}", same: true },
      before: { outcome: "ok", result: "found", ms: 3, at: row.next_attempt_at ?? "" },
      after: { task_id: "t-2", session_id: "s-2", state: "completed", outcome: "ok", result: "found" },
    }),
    catalog: () => [],
    exposed: () => ({
      ...{ enabled: false, path: "/mcp", tools: [], count: 0, star: false, trust_override: false, entries: [] },
    }),
  };
  return { ask: askRoutes(mcpRoutes(service)), asked };
}

describe("MCP servers over the operator API", () => {
  it("are listed by rows, read whole, added, changed, tried and removed", async () => {
    const { ask, asked } = mcp();
    const list = await ask("GET", "/api/mcp/servers");
    expect(list).toMatchObject({ status: 200, body: { enabled: true, servers: [{ name: "docs", held_count: 1 }] } });
    expect(await ask("GET", "/api/mcp/servers/docs")).toMatchObject({ body: { log: ["refused"] } });
    const body = { name: "docs", url: "https://docs.example/mcp", headers: { "X-Version": 2 } };
    expect(await ask("POST", "/api/mcp/servers", body)).toMatchObject({ body: { ok: true, servers: ["docs"] } });
    await ask("PATCH", "/api/mcp/servers/docs", { pinning: null, secrets: { TOKEN: "t" } });
    expect(await ask("POST", "/api/mcp/servers/test", body)).toMatchObject({
      body: { ok: false, error: "It refused." },
    });
    await ask("POST", "/api/mcp/servers/docs/restart");
    expect(await ask("DELETE", "/api/mcp/servers/docs")).toMatchObject({ body: { ok: true, servers: [] } });
    expect(asked).toEqual([
      ["add", body],
      ["edit", "docs", { pinning: null, secrets: { TOKEN: "t" } }],
      ["test", body],
      ["restart", "docs"],
      ["remove", "docs"],
    ]);
  });

  it("show their calls by pages, the newest first", async () => {
    const { ask } = mcp();
    const { body: first } = await ask("GET", "/api/mcp/servers/docs/calls?limit=2");
    expect(first).toMatchObject({ calls: [{ call_id: "c-3" }, { call_id: "c-2" }] });
    const { next_cursor: cursor } = first as { next_cursor: string };
    const rest = await ask("GET", `/api/mcp/servers/docs/calls?cursor=${cursor}`);
    expect(rest.body).toMatchObject({ calls: [{ call_id: "c-1" }], next_cursor: null });
  });

  it("show one of their calls, and make it once more under the request's key", async () => {
    const { ask, asked } = mcp();
    expect(await ask("GET", "/api/mcp/calls/c-1")).toMatchObject({ status: 200, body: { result: "found" } });
    expect((await ask("GET", "/api/mcp/calls/c-9")).status).toBe(404);
    expect(await ask("POST", "/api/mcp/calls/c-1/replay", { confirm: true })).toMatchObject({ body: { same: true } });
    await ask("POST", "/api/mcp/calls/c-1/replay");
    const made = { call: "c-1", key: undefined, traceparent: undefined };
    expect(asked).toEqual([
      ["replay", { ...made, isConfirmed: true }],
      ["replay", { ...made, isConfirmed: false }],
    ]);
  });

  it.each([
    [404, "GET", "/other", undefined],
    [409, "POST", "/other/definitions", { approve: [{ name: "find", digest: "d" }] }],
    [422, "POST", "", { name: "Docs", command: "a" }],
    [422, "POST", "", { name: "docs", transport: "pigeon", url: "https://a.example" }],
    [422, "PATCH", "/docs", { name: "other" }],
    [422, "POST", "/docs/definitions", { approve: ["find"] }],
    [422, "POST", "/import", { raw: "" }],
  ])("%i: %s /api/mcp/servers%s %j", async (status, method, path, body) => {
    expect((await mcp().ask(method, `/api/mcp/servers${path}`, body)).status).toBe(status);
  });

  it("decide for the operator wherever a program or a text would come in", () => {
    const kept = mcpRoutes({} as McpService).filter(({ definition }) => definition.decides !== true);
    expect(kept.map(({ definition }) => definition.name)).toEqual([
      ...["mcp.servers", "mcp.server", "mcp.restart", "mcp.calls", "mcp.call", "mcp.catalog", "mcp.exposed"],
    ]);
  });
});
