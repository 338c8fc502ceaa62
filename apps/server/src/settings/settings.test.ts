import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { StartupError, type StartupErrorCode } from "../cli/index.ts";
import { loadServerSettings, type SettingsOptions } from "./settings.ts";

let home: string;
let configDir: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "settings-"));
  configDir = join(home, "config");
});
afterEach(() => rmSync(home, { recursive: true }));

interface World extends Partial<Omit<SettingsOptions, "env">> {
  env?: Record<string, string>;
  file?: string;
  secrets?: string;
  host?: string;
}

function load({ env = {}, file, secrets, host, ...options }: World = {}) {
  mkdirSync(configDir, { recursive: true });
  if (file !== undefined) writeFileSync(join(configDir, "agent-config.yaml"), file);
  if (secrets !== undefined) writeFileSync(join(configDir, "secrets.yaml"), secrets, { mode: 0o600 });
  if (host !== undefined) writeFileSync(join(home, "host-config.yaml"), host);
  return loadServerSettings({ env: { SVC_HOME: home, ...env }, sandbox: join(home, "sandbox"), ...options });
}

function refusalOf(world: World): { code: StartupErrorCode; message: string } {
  try {
    load(world);
  } catch (error) {
    if (error instanceof StartupError) return { code: error.code, message: error.message };
    throw error;
  }
  throw new Error("did not refuse");
}

const marker = () => existsSync(join(configDir, ".setup-complete"));
const gateway = "http://gateway:4000/v1";

test("the first run starts with the scripted model beside the default gateway and leaves an example (R10)", () => {
  const settings = load();
  expect(settings).toMatchObject({
    ui: "console",
    bind: { host: "127.0.0.1", port: 7870 },
    setup: { complete: false, managed: false },
    identity: { name: "protoagent" },
    credentials: {},
    egress: { allowed_hosts: [] },
    models: { lead: "scripted:demo", scriptedByDefault: true },
    checkpoint: { db_path: join(home, "checkpoints.db"), on_restart: "auto" },
    limits: { max_running_turns: 64, max_queued_turns: 4096 },
    instance: { id: "" },
    secrets: [],
    warnings: [],
  });
  expect(settings.models.connections.map(({ id, baseUrl }) => [id, baseUrl])).toEqual([
    ["scripted", ""],
    ["gateway", gateway],
  ]);
  const file = join(configDir, "agent-config.yaml");
  expect(readFileSync(file, "utf8")).toContain("# name: protolabs/reasoning");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(marker()).toBe(false);
  expect(load()).toEqual(settings);
});

test.each<[string, World, string]>([
  ["a model in the live file", { file: "model: {name: m}" }, "m"],
  ["a model in the host layer", { host: "model: {name: m}" }, "m"],
  ["SVC_MODEL over a file", { file: "model: {name: m}", env: { SVC_MODEL: "n" } }, "n"],
  ["providers", { file: "providers: [{id: a, base_url: 'http://a/v1'}]" }, "protolabs/reasoning"],
  ["MODEL_API_KEY", { env: { MODEL_API_KEY: "k" } }, "protolabs/reasoning"],
  ["MODEL_API_BASE", { env: { MODEL_API_BASE: "http://b/v1" } }, "protolabs/reasoning"],
  ["model.provider", { file: "model: {name: m, provider: oauth-subscription-a}" }, "oauth-subscription-a:m"],
  ["the scripted model by name", { env: { SVC_MODEL: "scripted:demo" } }, "scripted:demo"],
])("%s leads as configured, in both tiers (R10)", (_what, world, lead) => {
  const settings = load(world);
  expect(settings.models).toMatchObject({ lead, scriptedByDefault: false });
  expect([settings.setup.complete, marker()]).toEqual([false, false]);
  const headless = load({ ...world, flags: { ui: "none" } });
  expect(headless.models).toMatchObject({ lead, scriptedByDefault: false });
  expect([headless.setup.complete, marker()]).toEqual([true, true]);
});

test("without a console and without a model the start fails at once with what to do", () => {
  const { code, message } = refusalOf({ env: { SVC_UI: "none" } });
  expect(code).toBe("setup-incomplete");
  expect(message).toMatch(/MODEL_API_KEY.*SVC_MODEL.*scripted:demo/);
  expect(marker()).toBe(false);
});

test("SVC_HEADLESS_SETUP completes setup from a valid configuration, and only from one that names a model", () => {
  expect(load({ env: { SVC_HEADLESS_SETUP: "1" } }).setup.complete).toBe(false);
  expect(load({ env: { SVC_HEADLESS_SETUP: "1", SVC_MODEL: "m" } }).setup.complete).toBe(true);
  expect(marker()).toBe(true);
});

test("--setup is looked at as if setup were complete, and refused where no model is named", () => {
  for (const ui of ["none", "console"]) expect(refusalOf({ flags: { setup: true, ui } }).code).toBe("setup-incomplete");
  const settings = load({ flags: { setup: true }, env: { SVC_MODEL: "m" } });
  expect([settings.setup.complete, settings.models.lead]).toEqual([true, "m"]);
  expect(marker()).toBe(false);
});

test("--setup of a wrong configuration refuses and writes nothing", () => {
  expect(refusalOf({ flags: { setup: true }, file: "auth: {token: 12345678}" }).code).toBe("config-invalid");
  expect(marker()).toBe(false);
});

test("a configuration folder that cannot be written is managed: setup is complete by definition (O6)", () => {
  mkdirSync(configDir);
  chmodSync(configDir, 0o555);
  chmodSync(home, 0o755);
  // Root may write anywhere, so a process of root gives its rights away first.
  const script = `
    import { loadServerSettings } from ${JSON.stringify(new URL("settings.ts", import.meta.url).href)};
    if (process.getuid() === 0) { process.setgid(65534); process.setuid(65534); }
    const { setup, models } = loadServerSettings({ env: { SVC_HOME: ${JSON.stringify(home)} } });
    process.stdout.write(JSON.stringify({ setup, lead: models.lead }));
  `;
  const flags = ["--conditions=@agent-service/source", "--input-type=module", "-e", script];
  const run = spawnSync(process.execPath, flags, { encoding: "utf8" });
  expect(run.stderr.replace(/^.*Warning.*\n|^\(Use.*\n/gm, "")).toBe("");
  expect(JSON.parse(run.stdout)).toEqual({ setup: { complete: true, managed: true }, lead: "protolabs/reasoning" });
});

test.each<[string, World, StartupErrorCode, RegExp]>([
  ["broken YAML", { file: "model:\n  name: [x\n" }, "config-unreadable", /agent-config\.yaml:\d+: /],
  ["a broken overlay", { secrets: "auth: {token: hunter2" }, "config-unreadable", /secrets\.yaml:1: /],
  [
    "a token that is no text",
    { file: "auth:\n  token: 12345678\n" },
    "config-invalid",
    /agent-config\.yaml:2: auth\.token: /,
  ],
  [
    "a token with a line break",
    { secrets: 'auth: {token: "hun\\nter2"}' },
    "config-invalid",
    /secrets\.yaml:1: auth\.token: /,
  ],
  [
    "a variable's token that cannot travel",
    { env: { A2A_AUTH_TOKEN: "schlüssel" } },
    "config-invalid",
    /A2A_AUTH_TOKEN: auth\.token: /,
  ],
  [
    "a token in the host layer",
    { host: "auth: {token: hunter2}" },
    "config-invalid",
    /host-config\.yaml:1: auth\.token: /,
  ],
  [
    "a key that is no text",
    { secrets: "providers: {a: [hunter2]}" },
    "config-invalid",
    /secrets\.yaml:1: providers\.a: /,
  ],
  [
    "an instance that leaves its folder",
    { env: { SVC_INSTANCE: "../other" } },
    "config-invalid",
    /SVC_INSTANCE: instance\.id: /,
  ],
  [
    "an instance id in the file",
    { file: "instance: {id: a/b}" },
    "config-invalid",
    /agent-config\.yaml:1: instance\.id: /,
  ],
  ["a federation token alone", { env: { A2A_FEDERATION_TOKEN: "f" } }, "auth-incomplete", /federation token/],
  ["an unknown tier", { env: { SVC_UI: "fancy" } }, "config-invalid", /SVC_UI/],
  ["an unknown tier by flag", { flags: { ui: "fancy" } }, "config-invalid", /--ui/],
  [
    "a loopback card where none is wanted",
    { file: "a2a: {require_routable_url: true}" },
    "card-unroutable",
    /A2A_PUBLIC_URL/,
  ],
  [
    "a public address that is loopback",
    { file: "a2a: {require_routable_url: true}", env: { A2A_PUBLIC_URL: "http://[::1]:7870" } },
    "card-unroutable",
    /A2A_PUBLIC_URL/,
  ],
])("%s refuses the start with one line (S8)", (_what, world, code, line) => {
  const refusal = refusalOf(world);
  expect(refusal.code).toBe(code);
  expect(refusal.message).toMatch(line);
  expect(refusal.message).not.toMatch(/\n|hunter2|hun.ter2|12345678|schlüssel/);
});

test.each([
  ["journal: {retention_days: 7}\n", 7, "read as checkpoint.max_age_days"],
  [
    "journal: {retention_days: 7}\ncheckpoint: {max_age_days: 9}\n",
    9,
    "ignored, because checkpoint.max_age_days is set",
  ],
])("an earlier name of a setting counts where the new one is not set, and warns (R14)", (file, days, described) => {
  const { checkpoint, warnings } = load({ file });
  expect(checkpoint.max_age_days).toBe(days);
  expect(warnings.map((warning) => warning.replace(`${configDir}/`, ""))).toEqual([
    `agent-config.yaml:1: journal.retention_days: ${described}`,
  ]);
});

test("a configuration folder that is a file refuses the start with one line", () => {
  writeFileSync(configDir, "");
  const env = { SVC_HOME: home };
  expect(() => loadServerSettings({ env })).toThrow(expect.objectContaining({ code: "config-unreadable" }));
});

test.each<[string, string, string]>([
  [
    "a temperature",
    "model:\n  temperature: hot\n",
    'agent-config.yaml:2: model.temperature: expected number, got "hot"',
  ],
  ["a restart rule", "checkpoint: {on_restart: maybe}\n", "agent-config.yaml:1: checkpoint.on_restart: expected"],
  ["a skill without a name", "a2a:\n  skills:\n    - id: x\n", "agent-config.yaml:3: a2a.skills.0: name is missing"],
  [
    "a connection's address",
    "providers:\n  - id: a\n    base_url: nowhere\n",
    "agent-config.yaml:3: providers.a.base_url: ",
  ],
  ["a section of a later release", "fleet: {enabled: [x]}\n", "agent-config.yaml:1: fleet: not used by this"],
])("%s that is wrong warns and starts (S8)", (_what, file, line) => {
  const { warnings } = load({ file });
  expect(warnings).toHaveLength(1);
  expect(warnings[0]?.replace(`${configDir}/`, "").startsWith(line)).toBe(true);
});

test("flags beat variables, variables beat defaults", () => {
  const env = { SVC_HOST: "0.0.0.0", SVC_UI: "none", SVC_MODEL: "m" };
  expect(load({ env })).toMatchObject({ bind: { host: "0.0.0.0", port: 7870 }, ui: "none" });
  const flags = { host: "127.0.0.2", port: 0, ui: "console" };
  expect(load({ env, flags })).toMatchObject({ bind: { host: "127.0.0.2", port: 0 }, ui: "console" });
});

test("the agent's name follows its identity, else AGENT_NAME", () => {
  const env = { AGENT_NAME: "scout" };
  expect(load({ env }).identity.name).toBe("scout");
  expect(load({ env, file: "identity: {name: Ada}" })).toMatchObject({
    identity: { name: "Ada" },
    environment: { agentName: "scout" },
  });
});

test("credentials come from overlay, file and variables in that order, and are known to the redactor", () => {
  const env = { A2A_AUTH_TOKEN: "env-token", A2A_FEDERATION_TOKEN: "env-federation", PROTOAGENT_API_KEY: "env-key" };
  const settings = load({
    env,
    file: "auth: {token: file-token}\nproviders: [{id: a, base_url: 'http://a/v1'}]",
    secrets: "auth: {token: overlay-token}\nproviders: {a: provider-key}",
  });
  expect(settings.credentials).toEqual({ bearer: "overlay-token", apiKey: "env-key", federation: "env-federation" });
  expect(settings.models.connections.map(({ apiKey }) => apiKey)).toEqual(["provider-key"]);
  expect(new Set(settings.secrets)).toEqual(
    new Set(["overlay-token", "env-token", "env-federation", "provider-key", "env-key"]),
  );
  expect(load({ env, secrets: "auth: {token: ' '}" }).credentials.bearer).toBe("file-token");
});

test("retiring keys beside a providers block are ignored, with a warning", () => {
  const { models, warnings } = load({
    file: "providers: []\nmodel: {api_base: 'http://b/v1', name: m}\n",
    secrets: "model: {api_key: hunter2}",
  });
  expect(models.connections).toEqual([]);
  expect(warnings.map((line) => line.replaceAll(`${configDir}/`, ""))).toEqual([
    "agent-config.yaml:2: model.api_base: ignored, because there is a providers block",
    "secrets.yaml:1: model.api_key: ignored, because there is a providers block",
  ]);
});

test("stores follow home, sandbox and instance (N3, R11, R12)", () => {
  const place = (world: World) => load(world).checkpoint.db_path;
  expect(place({ env: { SVC_INSTANCE: "two" } })).toBe(join(home, "two", "checkpoints.db"));
  expect(place({ file: "instance: {id: three}" })).toBe(join(home, "three", "checkpoints.db"));
  expect(place({ file: "checkpoint: {db_path: ''}" })).toBe("");
  expect(place({ file: "checkpoint: {db_path: 'libsql://db.test'}" })).toBe("libsql://db.test");
  mkdirSync(join(home, "sandbox"));
  expect(place({ file: "" })).toBe(join(home, "sandbox", "checkpoints.db"));
});

test("a checkout's config folder is used when the service runs from one (N3)", () => {
  const checkoutRoot = join(home, "checkout");
  const settings = load({ checkoutRoot });
  expect(settings.paths.configDir).toBe(join(checkoutRoot, "config"));
  expect(existsSync(join(checkoutRoot, "config", "agent-config.yaml"))).toBe(true);
});

test("a reload does not open to the network what listens there with a token (S8)", () => {
  const env = { SVC_HOST: "0.0.0.0", SVC_MODEL: "scripted:demo" };
  expect(refusalOf({ env, running: true }).code).toBe("bind-refused");
  expect(load({ env: { ...env, A2A_AUTH_TOKEN: "a-token" }, running: true }).credentials).toEqual({
    bearer: "a-token",
  });
});

test("a field of a subscription that nothing reads is warned of by its name, and its value is not shown", () => {
  const { warnings, models } = load({
    file: "providers: [{id: sub, type: oauth-subscription-a}]\nmodel: {name: 'sub:m'}\n",
    secrets: "providers: {sub: {access_token: token-1, refresh_tokn: secret-value, client_id: c}}\n",
  });
  expect(warnings).toEqual([
    expect.stringMatching(/secrets\.yaml.*providers\.sub\.refresh_tokn: unknown field of a subscription, ignored$/),
  ]);
  expect(models.connections.find(({ id }) => id === "sub")).toBeDefined();
});
