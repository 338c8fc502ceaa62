import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import * as v from "valibot";
import { afterEach, beforeEach, expect, expectTypeOf, test } from "vitest";
import { loadConfig } from "./load-config.ts";
import type { Section } from "./section/index.ts";

let home: string;
let configDir: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "load-config-"));
  configDir = join(home, "config");
});
afterEach(() => rmSync(home, { recursive: true }));

const field = { label: "L", description: "D.", type: "string" } as const;

const model = {
  name: "model",
  description: "Model.",
  schema: v.object({ name: v.optional(v.string(), "default-model"), temperature: v.optional(v.number(), 0.2) }),
  fields: { name: field, temperature: field },
  variables: { name: { variable: "SVC_MODEL", mode: "override" } },
} as const satisfies Section;

const auth = {
  name: "auth",
  description: "Auth.",
  schema: v.object({ token: v.optional(v.string(), "") }),
  fields: { token: field },
  secrets: ["token"],
  security: true,
  variables: { token: { variable: "A2A_AUTH_TOKEN", mode: "fallback" } },
} as const satisfies Section;

const sections = [model, auth] as const;

interface Files {
  host?: string;
  file?: string;
  secrets?: string;
}

function load({ host, file, secrets }: Files, env: Record<string, string> = {}) {
  for (const [path, text, mode] of [
    [join(home, "host-config.yaml"), host, 0o644],
    [join(configDir, "agent-config.yaml"), file, 0o644],
    [join(configDir, "secrets.yaml"), secrets, 0o600],
  ] as const) {
    if (text === undefined) continue;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    chmodSync(path, mode);
  }
  return loadConfig({ home, configDir, env, sections, reserved: ["watches", "egress"] });
}

const lines = (problems: readonly { message: string }[]) =>
  problems.map(({ message }) => message.replaceAll(`${configDir}/`, "").replaceAll(`${home}/`, ""));

test("without any file there are the defaults, typed by their sections, and nothing is written", () => {
  const config = load({});
  if (!config.ok) throw new Error(lines(config.errors).join());
  expectTypeOf(config.values.model.temperature).toEqualTypeOf<number>();
  expectTypeOf(config.values.auth).toEqualTypeOf<{ token: string }>();
  expect(config.values).toEqual({ model: { name: "default-model", temperature: 0.2 }, auth: { token: "" } });
  expect(new Set([...config.provenance.values()].map(({ layer }) => layer))).toEqual(new Set(["default"]));
  expect([...config.warnings, ...config.secrets]).toEqual([]);
  expect(readdirSync(home)).toEqual([]);
});

test("every value has its layer, file and line", () => {
  const config = load(
    {
      host: "model:\n  temperature: 0.5\n",
      file: "# live\nmodel:\n  name: from-file\n",
      secrets: "auth:\n  token: hunter2\n",
    },
    { A2A_AUTH_TOKEN: "from-env" },
  );
  if (!config.ok) throw new Error(lines(config.errors).join());
  expect(config.values).toEqual({ model: { name: "from-file", temperature: 0.5 }, auth: { token: "hunter2" } });
  expect(Object.fromEntries(config.provenance)).toEqual({
    "model.name": { layer: "file", file: join(configDir, "agent-config.yaml"), line: 3 },
    "model.temperature": { layer: "host", file: join(home, "host-config.yaml"), line: 2 },
    "auth.token": { layer: "secrets", file: join(configDir, "secrets.yaml"), line: 2 },
  });
  expect(config.secrets).toEqual(["hunter2"]);
});

test("the environment overrides, and a flag overrides it", () => {
  const options = { home, configDir, env: { SVC_MODEL: "from-env" }, sections };
  const env = loadConfig(options);
  const flag = loadConfig({ ...options, flags: { "model.name": { flag: "model", value: "from-flag" } } });
  expect([env.ok && env.values.model.name, flag.ok && flag.values.model.name]).toEqual(["from-env", "from-flag"]);
  expect(flag.ok && flag.provenance.get("model.name")).toEqual({ layer: "flag", flag: "model" });
});

test("a typing error in a section's name is reported with a hint, a section of a later release is not called one", () => {
  const config = load({ file: "modle: {name: x}\nwatches: {enabled: true}\nzzz: 1\negress: {allowed_hosts: []}\n" });
  expect(config.ok).toBe(true);
  expect(lines(config.warnings)).toEqual([
    "agent-config.yaml:1: modle: unknown section, ignored (did you mean model?)",
    "agent-config.yaml:3: zzz: unknown section, ignored",
    "agent-config.yaml:2: watches, egress: not used by this release, ignored",
  ]);
});

test.each<[string, Files, string]>([
  ["broken YAML in the live file", { file: "model:\n  name: 'x\n" }, "agent-config.yaml:3: Missing closing 'quote"],
  [
    "broken YAML in the host layer",
    { host: "a: b: c" },
    "host-config.yaml:1: Nested mappings are not allowed in compact mappings",
  ],
  ["broken YAML in the overlay", { secrets: "auth: {token: hunter2" }, "secrets.yaml:1: "],
  [
    "a section written twice",
    { file: "auth: {token: a}\nmodel: {}\nauth: {}" },
    "agent-config.yaml:3: a key that already stands",
  ],
  [
    "a token that is no text",
    { file: "auth:\n  token: 12345678\n" },
    "agent-config.yaml:2: auth.token: expected string",
  ],
  [
    "a token that is no text in the overlay",
    { secrets: "auth: {token: [1]}" },
    "secrets.yaml:1: auth.token: expected string",
  ],
  ["a security section that is no mapping", { file: "auth: hunter2" }, "agent-config.yaml:1: auth: expected a mapping"],
  ["an overlay section that is no mapping", { secrets: "model: hunter2" }, "secrets.yaml:1: model: expected a mapping"],
  [
    "a token in the host layer",
    { host: "auth: {token: hunter2}" },
    "host-config.yaml:1: auth.token: secrets never come from the host layer",
  ],
])("refuses %s with one line and no values (S8)", (_what, files, line) => {
  const config = load(files);
  expect(config.ok).toBe(false);
  expect("values" in config).toBe(false);
  expect(config.errors).toHaveLength(1);
  expect(lines(config.errors)[0]?.startsWith(line)).toBe(true);
  expect(JSON.stringify(config)).not.toContain("hunter2");
  expect(JSON.stringify(config)).not.toContain("12345678");
});

test.each<[string, string, string]>([
  [
    "a wrong type",
    "model:\n  temperature: warm\n",
    'agent-config.yaml:2: model.temperature: expected number, got "warm"',
  ],
  ["a section that is no mapping", "model: [1]\n", "agent-config.yaml:1: model: expected a mapping of keys"],
  ["an unknown key", "model:\n  temprature: 1\n", "agent-config.yaml:2: model.temprature: unknown key, ignored"],
])("outside security, %s falls back to the default with a warning (S8)", (_what, file, line) => {
  const config = load({ file });
  expect(config.ok && config.values.model).toEqual({ name: "default-model", temperature: 0.2 });
  expect(config.warnings).toHaveLength(1);
  expect(lines(config.warnings)[0]?.startsWith(line)).toBe(true);
});

test("an empty section, in any notation, is the defaults without a problem", () => {
  for (const file of ["model:\n", "model: ~\n", "model: {}\n", "model:\n  # name: x\n", "model:\n  name:\n"])
    expect(load({ file })).toMatchObject({ ok: true, values: { model: { name: "default-model" } }, warnings: [] });
});

test("a file full of mistakes is answered by a bounded number of findings", () => {
  const file = Array.from({ length: 5000 }, (_, index) => `unknown${index}: 1`).join("\n");
  expect(load({ file }).warnings).toHaveLength(200);
});

test("the warning names every section that is not used, however many there are", () => {
  const names = Array.from({ length: 30 }, (_, index) => `reserved_section_${index}`);
  mkdirSync(configDir, { recursive: true });
  writeFileSync(join(configDir, "agent-config.yaml"), names.map((name) => `${name}: {}\n`).join(""));
  const config = loadConfig({ home, configDir, env: {}, sections: [], reserved: names });
  expect(config.warnings).toMatchObject([
    { code: "reserved-section", message: expect.stringContaining(names.join(", ")) },
  ]);
});
