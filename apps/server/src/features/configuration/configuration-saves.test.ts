/** What changes the configuration over the operator API, on the running service (O6, R13, S8). */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { errorReply, type LocalGateway, localGateway, textReply } from "@agent-service/agent-core/testing";
import { createOperatorClient, type OperatorClient } from "@agent-service/operator-api/client";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { textOf } from "../../testing/index.ts";
import { startTestService, type TestService, type TestServiceOptions } from "../../testing/test-service.ts";

const KEY = "sk-saved-by-a-form-0123456789";
const CONFIG = `# mine
model:
  name: "main:demo" # the lead
  temperature: 0.7
providers:
  # works without a network
  - { id: main, type: scripted }
unknown_to_all: kept
`;

let running: TestService;
let client: OperatorClient;
async function start(options: TestServiceOptions = { config: CONFIG }): Promise<void> {
  running = await startTestService(options);
  client = createOperatorClient({ baseUrl: running.url });
}
afterEach(() => running.stop());

const live = (): string => readFileSync(join(running.folders.config, "agent-config.yaml"), "utf8");
const overlay = (): string => readFileSync(join(running.folders.config, "secrets.yaml"), "utf8");
const status = (promise: Promise<unknown>) =>
  promise.then(
    () => 200,
    (error: { status?: number }) => error.status,
  );

describe("settings by key", () => {
  beforeEach(() => start());

  it("count at once, and only their lines of the file change", async () => {
    const saved = await client.post("/api/settings", {
      body: { updates: { "model.temperature": 0.1, "identity.name": "Ada" } },
    });
    expect(saved).toMatchObject({ ok: true, restart_required: [] });
    expect(live()).toBe(`${CONFIG.replace("0.7", "0.1")}identity:\n  name: Ada\n`);
    expect(running.live.settings.model.temperature).toBe(0.1);
    expect(await (await fetch(`${running.url}/.well-known/agent-card.json`)).json()).toMatchObject({ name: "Ada" });
  });

  it("are all saved or none, and a refusal has the reason without the value", async () => {
    const refused = client.post("/api/settings", {
      body: { updates: { "model.temperature": 0.2, "model.max_tokens": "hunter2" } },
    });
    await expect(refused).rejects.toMatchObject({
      status: 400,
      message: expect.stringMatching(/^model\.max_tokens: expected/),
    });
    for (const updates of [
      { "unknown.key": 1 },
      { "model.nothing": 1 },
      { "providers.main.label": "x" },
      { "egress.allowed_hosts": 7 },
    ])
      expect(await status(client.post("/api/settings", { body: { updates } }))).toBe(400);
    const secret = client.post("/api/settings", { body: { updates: { "auth.token": 7_777_777 } } });
    await expect(secret).rejects.toMatchObject({
      status: 400,
      message: expect.stringMatching(/^auth\.token: expected text/),
    });
    const unknown = await fetch(`${running.url}/api/settings`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ updates: {}, model: { temperature: 1 } }),
    });
    expect([unknown.status, await unknown.json()]).toEqual([
      422,
      { detail: [{ loc: ["body", "model"], msg: "This field is not known here.", type: "strict_object" }] },
    ]);
    expect(live()).toBe(CONFIG);
  });

  it("are reset, the lead's together", async () => {
    await client.post("/api/settings", { body: { updates: { "model.api_base": "http://gateway.test/v1" } } });
    await client.post("/api/settings/reset", { body: { keys: ["model.temperature", "model.api_base"] } });
    expect(live()).toBe(CONFIG.replace('  name: "main:demo" # the lead\n  temperature: 0.7\n', ""));
  });

  it("that are secrets go into the overlay, apply to access control at once, and a blank one keeps them", async () => {
    await client.post("/api/settings", { body: { updates: { "auth.token": "operator-token-77" } } });
    expect(overlay()).toBe("auth:\n  token: operator-token-77\n");
    expect(await status(client.get("/api/config"))).toBe(401);
    client = createOperatorClient({ baseUrl: running.url, token: "operator-token-77" });
    await client.post("/api/settings", { body: { updates: { "auth.token": "", "model.temperature": 1 } } });
    expect(JSON.stringify(await client.get("/api/config"))).not.toContain("operator-token-77");
    expect(overlay()).toBe("auth:\n  token: operator-token-77\n");
  });

  it("of the machine go into its file, secrets never", async () => {
    await client.post("/api/settings", { body: { updates: { "identity.org": "Acme" }, layer: "host" } });
    expect(readFileSync(join(running.folders.home, "host-config.yaml"), "utf8")).toBe("identity:\n  org: Acme\n");
    const secret = client.post("/api/settings", { body: { updates: { "auth.token": "x-y-z-123" }, layer: "host" } });
    expect(await status(secret)).toBe(400);
  });

  it("list what waits for a restart", async () => {
    const saved = await client.post("/api/settings", { body: { updates: { "checkpoint.on_restart": "resume" } } });
    expect(saved.restart_required).toEqual(["checkpoint.on_restart"]);
  });
});

it("what is hidden, and what a variable owns, is refused (B59 settings; O6)", async () => {
  await start({ config: `${CONFIG}settings: { hidden: [egress, model.top_p] }\n`, env: { SVC_MODEL: "main:demo" } });
  for (const key of ["egress.allowed_hosts", "model.top_p", "model.name"]) {
    expect(
      await status(client.post("/api/settings", { body: { updates: { [key]: key.endsWith("p") ? 1 : "x" } } })),
    ).toBe(400);
    expect(await status(client.post("/api/settings/reset", { body: { keys: [key] } }))).toBe(400);
  }
  expect(await status(client.post("/api/config", { body: { config: { model: { top_p: 1 } } } }))).toBe(400);
});

describe("the configuration as a whole", () => {
  beforeEach(() => start());

  it("accepts its own response back without writing anything", async () => {
    const { config, revision } = await client.get("/api/config");
    const saved = await client.post("/api/config", { body: { config, revision } });
    expect([saved.revision, live()]).toEqual([revision, CONFIG]);
  });

  it("refuses an old revision for the persona alone too, and writes nothing then (O6)", async () => {
    const { revision, soul } = await client.get("/api/config");
    await client.post("/api/config", { body: { config: { identity: { name: "Ada" } } } });
    expect(await status(client.post("/api/config", { body: { soul: "Be brief.", revision } }))).toBe(409);
    expect((await client.get("/api/config")).soul).toBe(soul);
    expect(await status(client.post("/api/config", { body: { soul: "Be brief." } }))).toBe(200);
  });

  it("merges mappings, replaces lists, and refuses an old revision", async () => {
    const { revision } = await client.get("/api/config");
    const providers = [
      { id: "main", type: "scripted" },
      { id: "gw", base_url: "http://gateway.test/v1", api_key: KEY },
    ];
    await client.post("/api/config", { body: { config: { model: { temperature: null }, providers }, revision } });
    expect(running.live.settings.models.connections.map(({ id, apiKey }) => [id, apiKey])).toEqual([
      ["main", ""],
      ["gw", KEY],
    ]);
    expect(live()).not.toMatch(/temperature|sk-saved/);
    expect(live()).toContain("unknown_to_all: kept");
    expect(await status(client.post("/api/config", { body: { config: { identity: { name: "x" } }, revision } }))).toBe(
      409,
    );
    expect(live()).toContain("  # works without a network\n  - { id: main, type: scripted }\n  - id: gw\n");
    await client.post("/api/config", { body: { config: { providers: providers.slice(0, 1) } } });
    expect(overlay()).not.toContain(KEY);
    expect(live()).toBe(CONFIG.replace("\n  temperature: 0.7", ""));
  });

  it("keeps running without an invalid manual edit, reports it, and can be saved once it is corrected", async () => {
    writeFileSync(join(running.folders.config, "agent-config.yaml"), "model: [\n");
    running.live.reload();
    expect((await client.get("/api/config")).rejected?.reason).toMatch(/agent-config\.yaml:\d/);
    expect(await status(client.post("/api/settings", { body: { updates: { "model.temperature": 1 } } }))).toBe(400);
    running.folders.configure(CONFIG);
    await client.post("/api/settings", { body: { updates: { "model.temperature": 1 } } });
    expect((await client.get("/api/config")).rejected).toBeNull();
  });

  it("keeps every one of many saves at once", async () => {
    const updates = {
      "identity.name": "N",
      "identity.org": "O",
      "identity.operator": "P",
      "a2a.description": "D",
      "model.top_k": 3,
      "model.max_retries": 4,
    };
    await Promise.all(
      Object.entries(updates).map(([key, value]) =>
        client.post("/api/settings", { body: { updates: { [key]: value } } }),
      ),
    );
    for (const [key, value] of Object.entries(updates)) expect(live()).toContain(`${key.split(".")[1]}: ${value}`);
  });
});

describe("connections", () => {
  let gateway: LocalGateway;
  beforeEach(async () => {
    gateway = await localGateway(textReply("ok"));
    await start();
  });
  afterEach(() => gateway.close());

  it("are added, asked, changed and removed, their keys in the overlay only", async () => {
    const body = { id: "gw", type: "compat-gateway", base_url: gateway.baseUrl, api_key: KEY } as const;
    const { provider } = await client.post("/api/providers", { body });
    expect(provider).toMatchObject({ id: "gw", type: "compat-gateway", key_set: true, lead: false });
    expect([live().includes(KEY), overlay()]).toEqual([false, `providers:\n  gw: ${KEY}\n`]);
    expect(textOf(await running.wire.say("hello", {}, { metadata: { model: "gw:any" } }))).toBe("ok");
    expect(gateway.requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
    expect(await status(client.post("/api/providers", { body }))).toBe(409);

    const edited = await client.put("/api/providers/{id}", {
      params: { id: "gw" },
      body: { label: "Mine", api_key: "" },
    });
    expect(edited.provider).toMatchObject({ label: "Mine", key_set: true });
    expect(await status(client.put("/api/providers/{id}", { params: { id: "no" }, body: { label: "x" } }))).toBe(404);

    await client.delete("/api/providers/{id}", { params: { id: "gw" } });
    expect([live(), overlay()]).toEqual([CONFIG, "providers:\n"]);
  });

  it("of the machine's layer are removed there and nowhere else: what would change nothing is refused", async () => {
    const both = [{ id: "main", type: "scripted" }] as const;
    writeFileSync(
      join(running.folders.home, "host-config.yaml"),
      "providers:\n  - { id: shared, type: scripted }\n  - { id: main, type: scripted }\n",
    );
    running.live.reload();
    const remove = (id: string) => client.delete("/api/providers/{id}", { params: { id } });
    const refusal = expect.stringMatching(/^providers\.(shared|main) comes from .*host-config\.yaml:\d/);
    for (const change of [
      () => remove("shared"),
      () => remove("main"),
      () => client.post("/api/config", { body: { config: { providers: both } } }),
    ])
      await expect(change()).rejects.toMatchObject({ status: 400, message: refusal });
    expect(live()).toBe(CONFIG);
  });

  it("of the machine's layer stay when the last one of the agent's own is removed", async () => {
    const shared = { id: "shared", base_url: gateway.baseUrl };
    writeFileSync(join(running.folders.home, "host-config.yaml"), `providers: [${JSON.stringify(shared)}]\n`);
    writeFileSync(join(running.folders.config, "secrets.yaml"), `providers: { shared: ${KEY} }\n`, { mode: 0o600 });
    const connections = () => running.live.settings.models.connections.map(({ id, apiKey }) => `${id} ${apiKey}`);
    for (const remove of [
      () => client.delete("/api/providers/{id}", { params: { id: "main" } }),
      () => client.post("/api/config", { body: { config: { providers: [shared] } } }),
    ]) {
      running.folders.configure(CONFIG.replace("main:demo", "shared:demo"));
      running.live.reload();
      expect(connections().toSorted()).toEqual(["main ", `shared ${KEY}`]);
      await remove();
      expect(connections()).toEqual([`shared ${KEY}`]);
    }
    await client.post("/api/providers", { body: { id: "more", type: "scripted" } });
    expect(connections().toSorted()).toEqual(["more ", `shared ${KEY}`]);
    await client.post("/api/config", { body: { config: { providers: [] } } });
    expect(connections()).toEqual([]);
  });

  it("made of the retiring keys are changed there, as far as those go (B51 providers, rule 3)", async () => {
    await running.stop();
    await start({ config: "model: { name: first }\n" });
    const put = (change: { base_url?: string; api_key?: string; label?: string }) =>
      client.put("/api/providers/{id}", { params: { id: "gateway" }, body: change });
    expect((await put({ base_url: gateway.baseUrl, api_key: KEY })).provider).toMatchObject({
      base_url: gateway.baseUrl,
      key_set: true,
      sources: { base_url: { layer: "agent" }, api_key: { layer: "secrets" } },
    });
    expect(textOf(await running.wire.say("hello"))).toBe("ok");
    expect(await status(put({ label: "Mine" }))).toBe(400);
    expect(await status(client.delete("/api/providers/{id}", { params: { id: "gateway" } }))).toBe(400);
  });

  it("require the key again when their address changes: a stored one goes only to the stored address (R13)", async () => {
    const elsewhere = "http://elsewhere.test/v1";
    const body = { id: "gw", type: "compat-gateway", base_url: gateway.baseUrl, api_key: KEY } as const;
    await client.post("/api/providers", { body });
    const put = (change: { base_url?: string; api_key?: string | null; label?: string }) =>
      client.put("/api/providers/{id}", { params: { id: "gw" }, body: change });
    const before = live();
    const refusal = expect.stringMatching(/^providers\.gw\.api_key: the stored key goes only to/);
    for (const change of [
      () => put({ base_url: elsewhere }),
      () => put({ base_url: elsewhere, api_key: "" }),
      () => put({ base_url: "" }),
      () => client.post("/api/config", { body: { config: { providers: [{ id: "gw", base_url: elsewhere }] } } }),
    ])
      await expect(change()).rejects.toMatchObject({ status: 400, message: refusal });
    expect(live()).toBe(before);
    expect(await put({ base_url: `${gateway.baseUrl}/`, label: "The same" })).toMatchObject({
      provider: { key_set: true },
    });
    expect(await put({ base_url: elsewhere, api_key: KEY })).toMatchObject({ provider: { base_url: elsewhere } });
    expect(await put({ base_url: gateway.baseUrl, api_key: null })).toMatchObject({ provider: { key_set: false } });
    expect(await put({ base_url: elsewhere })).toMatchObject({ provider: { key_set: false } });
    expect(overlay()).not.toContain(KEY);
  });

  it("that are new get no key that is stored for another address", async () => {
    writeFileSync(join(running.folders.config, "secrets.yaml"), `providers: { gw: ${KEY} }\n`, { mode: 0o600 });
    running.live.reload();
    const body = { id: "gw", type: "compat-gateway", base_url: gateway.baseUrl } as const;
    await expect(client.post("/api/providers", { body })).rejects.toMatchObject({ status: 400 });
    expect(await client.post("/api/providers", { body: { ...body, api_key: KEY } })).toMatchObject({ ok: true });
  });

  it("of the retiring keys require theirs too", async () => {
    await running.stop();
    await start({ config: `model: { name: first, api_base: "${gateway.baseUrl}", api_key: ${KEY} }\n` });
    const set = (updates: object) => client.post("/api/settings", { body: { updates } } as never);
    const elsewhere = "http://elsewhere.test/v1";
    const refusal = expect.stringMatching(/^model\.api_key: the stored key/);
    await expect(set({ "model.api_base": elsewhere })).rejects.toMatchObject({ status: 400, message: refusal });
    await expect(
      client.put("/api/providers/{id}", { params: { id: "gateway" }, body: { base_url: elsewhere } }),
    ).rejects.toMatchObject({ status: 400, message: refusal });
    await set({ "model.temperature": 1 });
    await set({ "model.api_base": elsewhere, "model.api_key": KEY });
    expect(running.live.settings.models.connections).toMatchObject([{ baseUrl: elsewhere, apiKey: KEY }]);
  });

  it("that a section refuses are not saved", async () => {
    const type = "compat-gateway";
    for (const body of [
      { id: "gw", type, base_url: "ftp://x" },
      { id: "gw", type, api_key: "ünicode" },
    ] as const)
      expect(await status(client.post("/api/providers", { body }))).toBe(400);
    expect(live()).toBe(CONFIG);
  });
});

describe("setup", () => {
  let gateway: LocalGateway;
  beforeEach(async () => {
    gateway = await localGateway(textReply("ready"));
    await start({ ui: "console", env: { SVC_MODEL: "" } });
  });
  afterEach(() => gateway.close());
  const body = () => ({
    config: { providers: [{ id: "gw", base_url: gateway.baseUrl, api_key: KEY }], model: { name: "gw:real" } },
  });

  it("connects a model without a restart", async () => {
    expect(textOf(await running.wire.say("hello"))).toMatch(/not a language model/);
    expect(await client.get("/api/config/setup-status")).toMatchObject({ setup_complete: false });
    expect(await client.post("/api/config/setup", { body: body() })).toEqual({
      ok: true,
      message: "Connected: real answers.",
    });
    expect(textOf(await running.wire.say("hello"))).toBe("ready");
    expect(await client.get("/api/config/setup-status")).toMatchObject({ setup_complete: true });
    expect(existsSync(join(running.folders.config, ".setup-complete"))).toBe(true);
    expect(live()).not.toContain(KEY);
    await client.post("/api/config/reset-setup", {});
    expect(await client.get("/api/config/setup-status")).toMatchObject({ setup_complete: false });
  });

  it("stays open, and saves nothing, when the model does not answer", async () => {
    gateway.answer(errorReply(401, `bad key ${KEY}`));
    const before = live();
    const refused = client.post("/api/config/setup", { body: body() });
    await expect(refused).rejects.toMatchObject({ status: 400, message: expect.not.stringContaining(KEY) });
    expect(live()).toBe(before);
    expect(await client.get("/api/config/setup-status")).toMatchObject({ setup_complete: false });
  });
});

describe("secrets that are written out in a list", () => {
  const SECRETS = ["written-in-env-4711", "written-in-args-4711", "written-in-url-4711"];
  const WRITTEN = `mcp:
  servers:
    - { name: one, command: node, args: ["--api-key=${SECRETS[1]}"], env: { TOKEN: ${SECRETS[0]} }, enabled: false }
    - { name: two, url: "https://mcp.example/?api_key=${SECRETS[2]}", enabled: false }
`;

  it("are not shown, stay when all that was read is sent back, and are not replaced by what stands for them", async () => {
    await start({ config: CONFIG + WRITTEN });
    const texts = await Promise.all(
      ["config", "config/explain", "settings/schema", "mcp/servers/one", "mcp/servers/two"].map(async (path) =>
        (await fetch(`${running.url}/api/${path}`)).text(),
      ),
    );
    for (const secret of SECRETS) expect(texts.join("\n")).not.toContain(secret);
    const { config } = await client.get("/api/config");
    const { servers } = config.mcp as { servers: { name: string }[] };
    expect(servers).toMatchObject([{ args: ["--api-key=***"], env: { TOKEN: "***" } }, { url: expect.any(String) }]);
    await client.post("/api/config", { body: { config } });
    expect(live()).toBe(CONFIG + WRITTEN);
    const renamed = servers.map((one) => ({ ...one, name: `${one.name}s` }));
    const wanted = { config: { mcp: { servers: renamed } } };
    expect(await status(client.post("/api/config", { body: wanted }))).toBe(400);
    expect(await status(client.post("/api/settings", { body: { updates: { "mcp.servers": renamed } } }))).toBe(400);
    expect(live()).toBe(CONFIG + WRITTEN);
  });
});
