import { expect, test } from "vitest";
import { StartupError } from "../cli/index.ts";
import { readEnvironment } from "./environment.ts";
import { ENVIRONMENT_VARIABLES } from "./environment-table.ts";
import { SECTIONS } from "./sections.ts";

test("nothing set gives the defaults", () => {
  expect(readEnvironment({})).toEqual({
    ui: undefined,
    host: undefined,
    allowOpen: false,
    trustedHosts: [],
    schedulerDisabled: false,
    schedulerFireTimeoutMs: 600_000,
    headlessSetup: false,
    agentName: "protoagent",
    apiKey: undefined,
    allowedOrigins: undefined,
    publicUrl: undefined,
    webhookHosts: [],
    webhookCidrs: [],
    tracing: {},
    codexBaseUrl: undefined,
    codexOutputVersion: "responses/v1",
    ollamaHost: undefined,
    memoryDisabled: false,
    logLevel: "INFO",
    logFormat: "text",
    logBufferLines: 2_000,
    warnings: [],
  });
});

test("blank is unset", () => {
  const blank = Object.fromEntries(
    ENVIRONMENT_VARIABLES.map(({ name }) => [name.replace("<AGENT_NAME>", "PROTOAGENT"), " "]),
  );
  expect(readEnvironment(blank)).toEqual(readEnvironment({}));
});

test("every variable is read", () => {
  const environment = readEnvironment({
    SVC_UI: "none",
    SVC_HOST: "0.0.0.0",
    SVC_ALLOW_OPEN: "1",
    SVC_TRUSTED_HOSTS: "a.test, b.test,,",
    SVC_HEADLESS_SETUP: "true",
    AGENT_NAME: "my-agent",
    MY_AGENT_API_KEY: "k",
    PROTOAGENT_API_KEY: "other",
    A2A_ALLOWED_ORIGINS: "https://x.test",
    A2A_PUBLIC_URL: "https://agent.test/base/",
    PUSH_NOTIFICATION_ALLOWED_HOSTS: "hooks.intranet.example, 10.0.0.7",
    PUSH_NOTIFICATION_ALLOWED_CIDRS: "10.1.0.0/16,,fd00::/8",
    TRACING_HOST: "https://traces.test",
    TRACING_PUBLIC_KEY: "pk",
    TRACING_SECRET_KEY: "sk",
    SVC_CODEX_BASE_URL: "https://codex.test/base/",
    SVC_CODEX_OUTPUT_VERSION: "v0",
    OLLAMA_HOST: "0.0.0.0:11434",
    LOG_LEVEL: "debug",
    LOG_FORMAT: "JSON",
    SCHEDULER_DISABLED: "1",
    SCHEDULER_INVOKE_URL: "http://other.test:7871/",
    SCHEDULER_FIRE_TIMEOUT_S: "90",
    SCHEDULER_DB_DIR: "/var/jobs",
    GOAL_PATH: "/var/goals",
    LOG_BUFFER_LINES: "100",
    MEMORY_PATH: "/var/memory",
    SVC_DISABLE_MEMORY: "no",
  });
  expect(environment).toEqual({
    ui: "none",
    host: "0.0.0.0",
    allowOpen: true,
    trustedHosts: ["a.test", "b.test"],
    schedulerDisabled: true,
    schedulerInvokeUrl: "http://other.test:7871",
    schedulerFireTimeoutMs: 90_000,
    schedulerFolder: "/var/jobs",
    goalFolder: "/var/goals",
    headlessSetup: true,
    agentName: "my-agent",
    apiKey: "k",
    allowedOrigins: "https://x.test",
    publicUrl: "https://agent.test/base",
    webhookHosts: ["hooks.intranet.example", "10.0.0.7"],
    webhookCidrs: ["10.1.0.0/16", "fd00::/8"],
    tracing: { host: "https://traces.test", publicKey: "pk", secretKey: "sk" },
    codexBaseUrl: "https://codex.test/base",
    codexOutputVersion: "v0",
    ollamaHost: "0.0.0.0:11434",
    memoryPath: "/var/memory",
    memoryDisabled: true,
    logLevel: "DEBUG",
    logFormat: "json",
    logBufferLines: 100,
    warnings: [],
  });
});

test.each([
  [{ SVC_UI: "full" }, "console", "full is a deprecated alias of console"],
  [{ SVC_HEADLESS: "1" }, "none", "SVC_HEADLESS is deprecated, use SVC_UI=none"],
  [{ SVC_HEADLESS: "1", SVC_UI: "console" }, "console", "SVC_HEADLESS is deprecated, use SVC_UI=none"],
])("the deprecated %j still works, with a word", (env, ui, warning) => {
  const environment = readEnvironment(env);
  expect([environment.ui, environment.warnings]).toEqual([ui, [expect.stringContaining(warning)]]);
});

test.each([
  [{ LOG_LEVEL: "LOUD" }, "LOG_LEVEL"],
  [{ LOG_FORMAT: "xml" }, "LOG_FORMAT"],
  [{ TRACING_HOST: "traces" }, "TRACING_HOST"],
  [{ LOG_BUFFER_LINES: "many" }, "LOG_BUFFER_LINES"],
  [{ SCHEDULER_FIRE_TIMEOUT_S: "0" }, "SCHEDULER_FIRE_TIMEOUT_S"],
  [{ SVC_ALLOW_OPEN: "maybe" }, "SVC_ALLOW_OPEN"],
  [{ SVC_FLEET_MAX_WARM: "2", PEER_ANN_TOKEN: "x", NOTES_PATH: " " }, "PEER_ANN_TOKEN, SVC_FLEET_MAX_WARM"],
])("%j keeps the default, with a word", (env, name) => {
  const { warnings, ...rest } = readEnvironment(env);
  const { warnings: _none, ...defaults } = readEnvironment({});
  expect(rest).toEqual(defaults);
  expect(warnings).toEqual([expect.stringContaining(name)]);
});

test.each([
  [{ SVC_UI: "fancy" }, "SVC_UI"],
  [{ AGENT_NAME: "a\nb" }, "AGENT_NAME"],
  [{ A2A_PUBLIC_URL: "agent.test" }, "A2A_PUBLIC_URL"],
  [{ A2A_PUBLIC_URL: "https://user:hunter2@agent.test" }, "A2A_PUBLIC_URL"],
  [{ SVC_CODEX_BASE_URL: "https://user:hunter2@codex.test" }, "SVC_CODEX_BASE_URL"],
  [{ SVC_CODEX_OUTPUT_VERSION: "v2" }, "SVC_CODEX_OUTPUT_VERSION"],
  [{ PUSH_NOTIFICATION_ALLOWED_HOSTS: "a.test, https://b.test" }, "PUSH_NOTIFICATION_ALLOWED_HOSTS"],
  [{ PUSH_NOTIFICATION_ALLOWED_CIDRS: "10.0.0.0/40" }, "PUSH_NOTIFICATION_ALLOWED_CIDRS"],
])("%j refuses the start with one line that names the variable", (env, name) => {
  const read = () => readEnvironment(env);
  expect(read).toThrow(StartupError);
  expect(read).toThrow(name);
  expect(read).not.toThrow("hunter2");
});

test("the table holds every variable a section reads, under the setting it feeds", () => {
  const fed = SECTIONS.flatMap((section) =>
    Object.entries("variables" in section ? section.variables : {}).map(([key, { variable }]) => [
      variable,
      `${section.name}.${key}`,
    ]),
  );
  const table = ENVIRONMENT_VARIABLES.flatMap(({ name, setting }) => (setting === undefined ? [] : [[name, setting]]));
  expect(new Map(table as [string, string][])).toEqual(new Map(fed as [string, string][]));
});

test.each([
  [undefined, 2_000],
  ["0", 0],
  ["7", 7],
  ["60000", 50_000],
  ["9".repeat(30), 50_000],
])("LOG_BUFFER_LINES=%s keeps %i lines", (lines, kept) => {
  expect(readEnvironment({ LOG_BUFFER_LINES: lines }).logBufferLines).toBe(kept);
});
