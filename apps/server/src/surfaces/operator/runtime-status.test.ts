import { mcpSection } from "@agent-service/agent-core/host";
import { parse } from "valibot";
import { expect, it } from "vitest";
import { operatorRows } from "./operator-rows.ts";
import { runtimeService, type StatusParts } from "./runtime-status.ts";

const settings: StatusParts["settings"] = {
  setup: { complete: true },
  identity: { name: "a", operator: "", org: "" },
  model: { temperature: 0.2, max_tokens: 10, max_iterations: 5, favorites: ["gw:other"], reasoning_effort: "low" },
  models: {
    lead: "gw:qwen3:8b",
    scriptedByDefault: false,
    connections: [
      { id: "box", type: "scripted", baseUrl: "", apiKey: "" },
      { id: "gw", type: "compat-gateway", baseUrl: "http://gateway", apiKey: "sk-1" },
    ],
  },
  tracing: { enabled: false },
  mcp: parse(mcpSection.schema, {}),
  tools: { deferred: {} },
  filesystem: {
    code_pane: false,
    ...{ enabled: true, allow_run: true, run_requires_approval: true, run_auto_approve: [], bypass_allowed: true },
    ...{ sandbox: "auto" as const, run_network: "approved" as const, run_env: [] },
  },
  prompt_cache: { enabled: false, warm: { enabled: true, interval_seconds: 240 } },
};
const parts: StatusParts = {
  version: "1",
  settings,
  store: { durable: true, description: "file" },
  shownTools: () => 129,
  instanceUid: async () => "uid-1",
  ready: () => true,
  middleware: () => ({ audit: true }),
  load: (party) =>
    party === undefined
      ? { running: 3, working: 1, waiting: 2, oldestWaitMs: 1_500 }
      : { running: 1, working: 0, waiting: 0, oldestWaitMs: 0 },
  models: { authFailure: () => undefined, leadTakesImages: undefined, leadEfforts: undefined },
  redact: (text) => text.replace("sk-1", "[redacted]"),
  configuration: { rejected: undefined, restartRequired: () => [] },
  failingWebhooks: () => [],
  mcp: () => ({ enabled: false, servers: [], tool_count: 0 }),
  knowledge: async () => ({
    ...{ enabled: true, status: "ready", embeddings: "off", top_k: 5, chunks: 0, pending: 0 },
    ...{ unembedded: 0, dimensions: null, configured_path: "/srv/agent.db", resolved_path: null },
  }),
  scheduler: () => ({
    scheduler: { enabled: true, backend: "store", jobs: 2, next_due_at: null },
    autonomy: { next_due_at: null, jobs: 2, watches: 0, goals: 1 },
  }),
  skills: () => ({ enabled: true, count: 3, configured_path: "/srv/skills.db", top_k: 5 }),
  fileHistory: async () => ({ bytes: 0, limit: 1 }),
  sandbox: () => ({ usable: false, provider: "bubblewrap", reason: "bubblewrap (bwrap) is not installed" }),
  fence: { holding: "descriptor", folders: () => ["/srv/app", "/srv/notes"] },
};

it("names the lead by connection and model, and that there is a key, but not its value", async () => {
  const status = await runtimeService(parts).status();
  expect(status.model).toMatchObject({
    provider: "gw",
    name: "qwen3:8b",
    api_base: "http://gateway",
    api_key_configured: true,
    favorites: ["gw:other"],
  });
  expect(JSON.stringify(status)).not.toContain("sk-1");
  expect(status.storage.checkpoint_bytes).toBeNull();
});

it("names the first gateway for a lead without a connection's name, also one with a colon (R13)", async () => {
  for (const lead of ["fake-1", "qwen3:8b"]) {
    const models = { ...settings.models, lead };
    const status = await runtimeService({ ...parts, settings: { ...settings, models } }).status();
    expect(status.model).toMatchObject({
      provider: "gw",
      name: lead,
      api_base: "http://gateway",
      api_key_configured: true,
    });
  }
});

it("reports which middleware is on; unbuilt ones are off", async () => {
  const { middleware } = await runtimeService(parts).status();
  expect(middleware).toMatchObject({ audit: true, compaction: false });
});

it("reports that the lead takes images only where that is known (R13)", async () => {
  const reported = async (leadTakesImages: boolean | undefined) =>
    (await runtimeService({ ...parts, models: { ...parts.models, leadTakesImages } }).status()).model.vision;
  expect([await reported(true), await reported(false), await reported(undefined)]).toEqual([true, false, false]);
});

it("reports the default reasoning effort, and what the lead takes as far as it is known", async () => {
  const reported = async (leadEfforts: StatusParts["models"]["leadEfforts"]) =>
    (await runtimeService({ ...parts, models: { ...parts.models, leadEfforts } }).status()).model;
  expect(await reported(["low"])).toMatchObject({ reasoning_effort: "low", reasoning_efforts: ["low"] });
  expect((await reported(undefined)).reasoning_efforts).toBeNull();
});

it("warns while nothing is kept and no model is connected", async () => {
  const models = { ...settings.models, scriptedByDefault: true };
  const poor = { ...parts, settings: { ...settings, models }, store: { durable: false, description: "memory" } };
  expect((await runtimeService(poor).status()).warnings).toHaveLength(2);
  expect((await runtimeService(parts).status()).warnings).toEqual([]);
});

it.each([true, false])("warns of MCP servers beyond the most, where MCP is on: %s", async (enabled) => {
  const servers = Array.from({ length: 200 }, (_, index) => ({ name: `s${index}`, url: "https://a.example" }));
  const mcp = parse(mcpSection.schema, { enabled, servers });
  const { warnings } = await runtimeService({ ...parts, settings: { ...settings, mcp } }).status();
  expect(warnings).toEqual(enabled ? ["mcp.servers: only the first 64 servers are used; take out 136."] : []);
});

it("warns of hosts that do not take their webhooks", async () => {
  const failingWebhooks = () => ["a.example", "b.example"];
  expect((await runtimeService({ ...parts, failingWebhooks }).status()).warnings).toEqual([
    expect.stringMatching(/^Webhooks to a\.example, b\.example failed after all tries\./),
  ]);
});

it("warns of a configuration that was refused, and of settings that wait for a restart", async () => {
  const configuration = { rejected: { reason: "egress: expected a list" }, restartRequired: () => ["instance.id"] };
  expect((await runtimeService({ ...parts, configuration }).status()).warnings).toEqual([
    expect.stringMatching(/refused.*egress: expected a list/),
    expect.stringMatching(/^Restart .*instance\.id\.$/),
  ]);
});

it("makes rows of the API's routes whose names the router reads", async () => {
  const [row] = operatorRows([
    {
      method: "GET",
      path: "/api/x/{a}/{b_c}",
      tier: "operator",
      summary: "s",
      streaming: false,
      decides: true,
      handle: async ({ caller, param }) => new Response(`${caller} ${param("a")}`),
    },
  ]);
  expect(row).toMatchObject({ path: "/api/x/:a/:b_c", decides: true });
  const call = {
    caller: { class: "operator" as const },
    param: () => "v",
    verifyOrigin: () => undefined,
    openStream: () => undefined,
    refuseDecision: async () => undefined,
  };
  expect(await (await row!.handler(new Request("http://h/"), call)).text()).toBe("operator v");
});

it("reports whose credential a provider refuses, and whether to sign in again", async () => {
  const connections = [
    ...settings.models.connections,
    { id: "sub", type: "oauth-subscription-a", baseUrl: "", apiKey: "" },
  ];
  const models = { ...settings.models, connections };
  const reported = async (connection?: string) => {
    const authFailure = () => (connection === undefined ? undefined : { connection, message: "no sk-1" });
    const service = runtimeService({
      ...parts,
      settings: { ...settings, models },
      models: { ...parts.models, authFailure },
    });
    return (await service.status()).graph_auth_error;
  };
  expect([await reported(), await reported("gw"), await reported("sub")]).toEqual([
    null,
    { provider: "gw", message: "no [redacted]", relogin: false },
    { provider: "sub", message: "no [redacted]", relogin: true },
  ]);
});

it("reports the cache's warmer as on only while the cache is on", async () => {
  const { cache_warmer } = await runtimeService(parts).status();
  expect(cache_warmer).toEqual({ enabled: true, loaded: false, interval_seconds: 240 });
});

it("says which sandbox there is, and warns of commands that are missing or not asked about (F9, F15)", async () => {
  const statusOf = (more: Partial<typeof settings.filesystem>) =>
    runtimeService({ ...parts, settings: { ...settings, filesystem: { ...settings.filesystem, ...more } } }).status();
  expect((await statusOf({})).sandbox).toEqual({
    ...{ provider: "bubblewrap", usable: false, reason: "bubblewrap (bwrap) is not installed" },
  });
  expect((await statusOf({})).warnings.join()).not.toContain("run_");
  expect((await statusOf({ run_network: "never" })).warnings.join()).toMatch(/no run_command: .* is not installed/);
  expect((await statusOf({ run_requires_approval: false })).warnings.join()).toContain("without asking anybody");
});

it.each([
  [false, 129, true],
  [false, 128, false],
  [undefined, 129, false],
  [true, 129, false],
])("tools.deferred.enabled %j with %i tools shown: warns %j", async (enabled, count, warns) => {
  const own = { ...parts, settings: { ...settings, tools: { deferred: { enabled } } }, shownTools: () => count };
  const { warnings } = await runtimeService(own).status();
  expect(warnings.some((text) => text.includes("shown 129 tools in every request"))).toBe(warns);
});
