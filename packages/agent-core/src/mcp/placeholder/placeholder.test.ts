// biome-ignore-all lint/suspicious/noTemplateCurlyInString: placeholders of settings are written so
import fc from "fast-check";
import { expect, test } from "vitest";
import type { HttpTarget, StdioTarget } from "../server-target.ts";
import {
  childEnvironment,
  isForbiddenVariable,
  type PlaceholderSource,
  placeholdersOf,
  resolveTarget,
  secretTextsOf,
  takeSecretsOut,
  targetWarnings,
} from "./index.ts";

const program = (more: Partial<StdioTarget> = {}): StdioTarget => ({
  ...{ transport: "stdio", command: "run", args: [], env: {} },
  ...more,
});
const service = (more: Partial<HttpTarget> = {}): HttpTarget => ({
  ...{ transport: "streamable_http", url: "https://a.example", headers: {} },
  ...more,
});
const forbidden = { agentName: "my-agent", owned: new Set(["OLLAMA_HOST"]) };
const source = (more: Partial<PlaceholderSource> = {}): PlaceholderSource => ({
  ...{ secrets: {}, inheritEnv: [], environment: {} },
  isForbidden: (name) => isForbiddenVariable(name, forbidden),
  ...more,
});

test("placeholders are replaced in args, env, cwd, url and headers, and nowhere else", () => {
  const values = source({ secrets: { A: "1", B: "2" } });
  const stdio = program({ command: "${A}", args: ["x${A}y${B}"], env: { E: "${B}" }, cwd: "/${A}" });
  expect(resolveTarget(stdio, values)).toEqual({
    ok: true,
    target: program({ command: "${A}", args: ["x1y2"], env: { E: "2" }, cwd: "/1" }),
  });
  expect(resolveTarget(service({ url: "https://${A}", headers: { H: "Bearer ${B}" } }), values)).toEqual({
    ok: true,
    target: service({ url: "https://1", headers: { H: "Bearer 2" } }),
  });
});

test("a value is the overlay's, else the environment's where inherit_env names it, else the default", () => {
  const args = ["${A:-d}", "${B:-d}", "${C:-d}", "${D:-}"];
  const environment = { A: "env", B: "env", C: "env" };
  const values = source({ secrets: { A: "stored" }, inheritEnv: ["A", "B"], environment });
  expect(resolveTarget(program({ args }), values)).toMatchObject({ target: { args: ["stored", "env", "d", ""] } });
});

test("a value is text: placeholders in it stay as they are", () => {
  const resolved = resolveTarget(program({ args: ["${A}"] }), source({ secrets: { A: "${B}", B: "no" } }));
  expect(resolved).toMatchObject({ target: { args: ["${B}"] } });
});

test("what is missing is named with what to do, a blank value too", () => {
  const one = resolveTarget(program({ env: { X: "${TOKEN}${TOKEN}" } }), source({ secrets: { TOKEN: " " } }));
  expect(one).toMatchObject({ ok: false, missing: ["TOKEN"] });
  expect(!one.ok && one.problem).toBe(
    "${TOKEN} has no value; store it as a secret of the server, or name the variable in inherit_env",
  );
  const many = resolveTarget(program({ args: Array.from({ length: 12 }, (_, i) => `\${V${i}}`) }), source());
  expect(!many.ok && many.problem).toContain("${V9} and 2 more have no values");
});

test.each([
  "SVC_X",
  "A2A_AUTH_TOKEN",
  "MODEL_API_KEY",
  "PEER_B_TOKEN",
  "TRACING_HOST",
  "MY_AGENT_API_KEY",
  "OLLAMA_HOST",
])("%s is the service's own: neither a placeholder nor a program gets it", (name) => {
  const values = source({ inheritEnv: [name], environment: { [name]: "hunter2" } });
  expect(resolveTarget(program({ args: [`\${${name}}`] }), values)).toMatchObject({ missing: [name] });
  const child = childEnvironment({ ...values, inherited: values.environment, env: {} });
  expect(JSON.stringify(child)).not.toContain("hunter2");
});

test("a program gets a list of variables, what inherit_env names and its own, which beat the others", () => {
  const inherited = {
    ...{ PATH: "/bin:rel:/usr/bin", HOME: "/h", LC_ALL: "C", TMPDIR: "/t", SHELL: "/bin/sh", AWS_SECRET: "s" },
    ...{ NODE_OPTIONS: "--require x", EXTRA: "1", SSH_AUTH_SOCK: "/s", HTTP_PROXY: "http://p" },
  };
  const child = childEnvironment({
    ...{ inherited, inheritEnv: ["EXTRA"], env: { HOME: "/own", KEY: "k" } },
    isForbidden: () => false,
  });
  expect(child).toEqual({
    ...{ PATH: "/bin:/usr/bin", HOME: "/own", LC_ALL: "C", TMPDIR: "/t", SHELL: "/bin/sh", EXTRA: "1", KEY: "k" },
  });
});

test("saving moves every literal of env and headers into the overlay and leaves its placeholder", () => {
  expect(takeSecretsOut(program({ env: { API_KEY: "s1", MODE: "fast" } }))).toEqual({
    target: program({ env: { API_KEY: "${API_KEY}", MODE: "${MODE}" } }),
    secrets: { API_KEY: "s1", MODE: "fast" },
  });
  const headers = { Authorization: "Bearer s1", "X-Key": "s2", Kept: "Bearer ${T}", Mixed: "p-${T}" };
  expect(takeSecretsOut(service({ headers }))).toEqual({
    target: service({
      headers: {
        ...{ Authorization: "Bearer ${AUTHORIZATION}", "X-Key": "${X_KEY}" },
        ...{ Kept: "Bearer ${T}", Mixed: "${MIXED}${T}" },
      },
    }),
    secrets: { AUTHORIZATION: "s1", X_KEY: "s2", MIXED: "p-" },
  });
});

test("a placeholder that is there already keeps its meaning beside a literal of its name", () => {
  const { target, secrets } = takeSecretsOut(program({ args: ["${A}"], env: { A: "one", B: "${A_2}" } }));
  expect([target.env, secrets]).toEqual([{ A: "${A_3}", B: "${A_2}" }, { A_3: "one" }]);
});

test("property: what is stored resolves to what was given, and holds none of its values", () => {
  const value = fc.string({ minLength: 8, maxLength: 20 }).filter((text) => text.trim() !== "" && !text.includes("${"));
  const env = fc.dictionary(fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,9}$/), value, { maxKeys: 6 });
  fc.assert(
    fc.property(env, fc.boolean(), (values, isProgram) => {
      const target = isProgram ? program({ env: values }) : service({ headers: values });
      const stored = takeSecretsOut(target);
      expect(resolveTarget(stored.target, source({ secrets: stored.secrets }))).toEqual({ ok: true, target });
      expect(takeSecretsOut(stored.target)).toEqual({ target: stored.target, secrets: {} });
    }),
  );
});

test("the placeholders of a server are listed with where they stand and whether they have a value", () => {
  const target = program({ args: ["${A:-x}"], env: { E: "${A:-y}${B}" } });
  expect(placeholdersOf(target, source({ secrets: { B: "1" } }))).toEqual([
    { name: "A", keys: ["args", "env"], isSet: false, hasDefault: true },
    { name: "B", keys: ["env"], isSet: true, hasDefault: false },
  ]);
});

test("the redactor learns stored, inherited and written-out values, the credential in a header too, and no plain words", () => {
  const values = source({
    secrets: { STORED: "stored-1", MODE: "production", PORT: "8080", API_KEY: "k3y", FLAG: "true" },
    ...{ inheritEnv: ["FROM_ENV"], environment: { FROM_ENV: "env-value", OTHER: "other-value" } },
  });
  const basic = `Basic ${Buffer.from("me:pass-word").toString("base64")}`;
  const headers = {
    Authorization: "Bearer tok-1",
    Basic: basic,
    "X-A": "${FROM_ENV}",
    "X-C": "Bearer ${STORED}",
    "X-B": "literal-${STORED}",
  };
  const learned = secretTextsOf(service({ headers }), values);
  for (const secret of ["stored-1", "k3y", "env-value", "tok-1", "pass-word", "literal-"])
    expect(learned).toContain(secret);
  for (const plain of ["production", "8080", "true", "other-value", "Bearer", "Bearer "])
    expect(learned).not.toContain(plain);
});

test("the redactor learns secrets that are written out in arguments and in the query of an address", () => {
  const args = [
    "--api-key",
    "option-key-1",
    "--token=option-token",
    "-e",
    "DB_PASSWORD=from-docker",
    "--port",
    "8123456",
  ];
  const learned = secretTextsOf(program({ args: [...args, "--secret-file", "--secret=${STORED}"] }), source({}));
  expect([...learned].sort()).toEqual(["from-docker", "option-key-1", "option-token"]);
  const url = "https://x.example/mcp?api_key=a%2Fb-query-key&team=engineering&x=0123456789abcdefghijk#k";
  const ofUrl = secretTextsOf({ ...service({ headers: {} }), url }, source({}));
  expect([...ofUrl].sort()).toEqual(["0123456789abcdefghijk", "a%2Fb-query-key", "a/b-query-key"]);
});

test.each<[string, readonly string[], boolean]>([
  ["an option of a secret's name", ["--api-key", "abc"], true],
  ["one with its value", ["--token=abc"], true],
  ["a placeholder of a secret's name", ["${GITHUB_TOKEN}"], true],
  ["a stored placeholder", ["${STORED}"], true],
  ["a well-known key", ["ghp_0123456789abcdefghijABCDEFGHIJ012345"], true],
  ["a package and a path", ["-y", "@scope/server@1.0.0", "/srv/data", "--port", "3000"], false],
])("args with %s", (_what, args, warns) => {
  expect(targetWarnings(program({ args }), ["STORED"]).length).toBe(warns ? 1 : 0);
});
