/** The files of other programs as entries of ours (M16). */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ImportError, MAX_IMPORT_BYTES, readImport } from "./index.ts";

const only = (raw: unknown) => {
  const { servers, skipped } = readImport(typeof raw === "string" ? raw : JSON.stringify(raw));
  expect(skipped).toEqual([]);
  expect(servers).toHaveLength(1);
  return servers[0] as (typeof servers)[number];
};

describe("a file of Claude", () => {
  it("is read with comments and trailing commas, its variables as inputs", () => {
    const { servers } = readImport(`\uFEFF// what I use
{
  "mcpServers": {
    "GitHub": {
      "command": "docker",
      "args": ["run", "-i", "--rm", "-e", "GITHUB_TOKEN", "ghcr.io/github/github-mcp-server:v0.20.0",],
      "env": { "GITHUB_TOKEN": "\${GITHUB_TOKEN}", "LEVEL": "\${LEVEL:-info}", /* kept */ "HOST": "github.example" },
    },
    "docs": { "type": "http", "url": "https://docs.example/mcp", "headers": { "Authorization": "Bearer <YOUR_TOKEN>" } },
    "old": { "type": "sse", "url": "https://old.example/sse", "disabled": true, "headersHelper": "/bin/token" },
  },
}`);
    expect(servers).toEqual([
      {
        name: "GitHub",
        declaration: {
          transport: "stdio",
          command: "docker",
          args: ["run", "-i", "--rm", "-e", "GITHUB_TOKEN", "ghcr.io/github/github-mcp-server:v0.20.0"],
          env: { GITHUB_TOKEN: "${GITHUB_TOKEN}", LEVEL: "${LEVEL:-info}", HOST: "github.example" },
        },
        inputs: [
          { key: "GITHUB_TOKEN", label: "GITHUB_TOKEN", secret: true, required: true },
          { key: "LEVEL", label: "LEVEL", secret: false, required: false },
        ],
        warnings: [],
      },
      {
        name: "docs",
        declaration: {
          transport: "streamable_http",
          url: "https://docs.example/mcp",
          headers: { Authorization: "Bearer ${AUTHORIZATION}" },
        },
        inputs: [{ key: "AUTHORIZATION", label: "Authorization", secret: true, required: true }],
        warnings: [],
      },
      {
        name: "old",
        declaration: { transport: "sse", url: "https://old.example/sse", enabled: false },
        inputs: [],
        warnings: ["`headersHelper` is not run; give the header its value"],
      },
    ]);
  });

  it("of Windows starts the program itself", () => {
    const { declaration } = only({ mcpServers: { a: { command: "cmd", args: ["/c", "npx", "-y", "a-mcp@1.0.0"] } } });
    expect(declaration).toMatchObject({ command: "npx", args: ["-y", "a-mcp@1.0.0"] });
  });
});

describe("a file of VS Code", () => {
  const file = {
    inputs: [
      { type: "promptString", id: "api-key", description: "Key of Example", password: true },
      { type: "pickString", id: "region", description: "Region", options: ["eu", "us"], default: "eu" },
    ],
    servers: {
      example: {
        type: "stdio",
        command: "uvx",
        args: ["example-mcp@1.2.3", "--root", "${workspaceFolder}${/}data", "--region", "${input:region}"],
        env: { KEY: "${input:api-key}", OTHER: "${env:OTHER}" },
        envFile: "${workspaceFolder}/.env",
      },
    },
  };

  it.each([
    ["mcp.json", file],
    ["settings.json", { mcp: file }],
  ])("becomes entries and inputs: %s", (_, raw) => {
    expect(only(raw)).toEqual({
      name: "example",
      declaration: {
        transport: "stdio",
        command: "uvx",
        args: ["example-mcp@1.2.3", "--root", "${workspaceFolder}/data", "--region", "${region:-eu}"],
        env: { KEY: "${API_KEY}", OTHER: "${OTHER}" },
      },
      inputs: [
        { key: "workspaceFolder", label: "The folder of the project", secret: false, required: true },
        { key: "region", label: "Region: one of eu, us", secret: false, required: false },
        { key: "API_KEY", label: "Key of Example", secret: true, required: true },
        { key: "OTHER", label: "OTHER", secret: false, required: true },
      ],
      warnings: ["`envFile` is not read; add what it holds to `env`"],
    });
  });
});

describe("a file of opencode", () => {
  const local = { type: "local", command: ["npx", "-y", "a@1.0.0"], environment: { K: "{env:MY_KEY}" }, cwd: "." };
  const remote = {
    type: "remote",
    url: "https://a.example/mcp",
    headers: { "X-Key": "{file:~/.secrets/key}" },
    oauth: { clientId: "abc", scope: "read write" },
  };

  it("holds its entries under mcp, or under mcp.servers", () => {
    const first = readImport(JSON.stringify({ mcp: { one: { ...local, enabled: false }, two: remote } }));
    const second = readImport(JSON.stringify({ mcp: { servers: { one: { ...local, disabled: true }, two: remote } } }));
    expect(second).toEqual(first);
    expect(first.servers).toMatchObject([
      {
        name: "one",
        declaration: { command: "npx", args: ["-y", "a@1.0.0"], env: { K: "${MY_KEY}" }, enabled: false },
        inputs: [{ key: "MY_KEY", secret: true }],
        warnings: [expect.stringContaining("`cwd` was relative")],
      },
      {
        name: "two",
        declaration: {
          transport: "streamable_http",
          headers: { "X-Key": "${X_KEY}" },
          oauth: { client_id: "abc", scopes: ["read", "write"] },
        },
        inputs: [{ key: "X_KEY", label: "What the file ~/.secrets/key holds", secret: true, required: true }],
      },
    ]);
  });
});

describe("a server.json of the registry", () => {
  const npm = {
    name: "io.github.example/weather",
    version: "1.4.0",
    packages: [
      {
        registryType: "npm",
        identifier: "@example/weather",
        version: "1.4.0",
        transport: { type: "stdio" },
        packageArguments: [
          { type: "positional", valueHint: "city", isRequired: true, description: "City" },
          { type: "named", name: "--units", default: "metric", choices: ["metric", "imperial"] },
          { type: "named", name: "--verbose" },
        ],
        environmentVariables: [
          { name: "WEATHER_KEY", description: "Key", isRequired: true, isSecret: true },
          { name: "CACHE" },
        ],
      },
    ],
  };

  it.each([
    ["as published", npm],
    ["as the registry answers", { server: npm, _meta: {} }],
    ["in a list", { servers: [{ server: npm }] }],
  ])("starts its package at its version, %s", (_, raw) => {
    expect(only(raw)).toMatchObject({
      name: "weather",
      declaration: {
        command: "npx",
        args: ["-y", "@example/weather@1.4.0", "${city}", "--units", "${units:-metric}"],
        env: { WEATHER_KEY: "${WEATHER_KEY}" },
      },
      inputs: [
        { key: "WEATHER_KEY", label: "Key", secret: true, required: true },
        { key: "city", label: "City", secret: false, required: true },
        { key: "units", label: "one of metric, imperial", required: false },
      ],
    });
  });

  it("prefers a remote, and passes variables into a container", () => {
    const remotes = [
      { type: "sse", url: "https://a.example/sse" },
      {
        type: "streamable-http",
        url: "https://{tenant}.a.example/mcp",
        variables: { tenant: { description: "Tenant", isRequired: true } },
        headers: [{ name: "X-API-Key", isRequired: true, isSecret: true }],
      },
    ];
    expect(only({ ...npm, remotes }).declaration).toEqual({
      transport: "streamable_http",
      url: "https://${tenant}.a.example/mcp",
      headers: { "X-API-Key": "${X_API_KEY}" },
    });
    const oci = { registryType: "oci", identifier: "example/db", version: "3.1.0" };
    const env = [{ name: "PASSWORD", isRequired: true, isSecret: true }];
    const args = [{ type: "named", name: "--network", value: "host" }];
    const packages = [{ ...oci, environment_variables: env, runtime_arguments: args }];
    expect(only({ name: "db", packages }).declaration.args).toEqual([
      "run",
      "-i",
      "--rm",
      "-e",
      "PASSWORD",
      "--network",
      "host",
      "example/db:3.1.0",
    ]);
  });

  it("of a bundle is skipped with a reason", () => {
    const packages = [{ registryType: "mcpb", identifier: "https://a.example/b.mcpb" }];
    expect(readImport(JSON.stringify({ name: "a/b", packages }))).toMatchObject({
      servers: [],
      skipped: [{ name: "a/b", reason: expect.stringContaining("add it by hand") }],
    });
  });
});

it("a bare mapping is read, and one entry without the braces around it", () => {
  expect(only({ $schema: "x", a: { serverUrl: "https://a.example/sse" } }).declaration).toEqual({
    transport: "sse",
    url: "https://a.example/sse",
  });
  expect(only('"a": { "httpUrl": "https://a.example/sse", "excludeTools": ["x"] },').declaration).toEqual({
    transport: "streamable_http",
    url: "https://a.example/sse",
    tools: { exclude: ["x"] },
  });
});

it.each([
  ["", /is empty/],
  ["{", /is not JSON/],
  ["s3cret: yes", /is not JSON/],
  ["[]", /not a JSON object/],
  ['{"s3cret": 1}', /No server was found/],
  ['{"command": "s3cret"}', /has no name/],
  ['{"__proto__": {"command": "s3cret"}}', /./],
  [`{"a":${"[".repeat(100)}${"]".repeat(100)}}`, /nested|deep|levels/i],
  [" ".repeat(MAX_IMPORT_BYTES + 1), /larger than 1 MiB/],
])("what cannot be imported says why, and repeats nothing: %#", (raw, message) => {
  const failure = (() => {
    try {
      return readImport(raw);
    } catch (error) {
      return error;
    }
  })();
  expect(failure).toBeInstanceOf(ImportError);
  expect((failure as Error).message).toMatch(message);
  expect((failure as Error).message).not.toContain("s3cret");
});

it.each([
  [7, /not a mapping/],
  [{}, /neither/],
  [{ command: "a", url: "https://a.example" }, /both/],
  [{ type: "s3cret", url: "https://a.example" }, /transport/],
])("a wrong entry is skipped with a reason, and the others are read: %#", (entry, reason) => {
  const { servers, skipped } = readImport(JSON.stringify({ mcpServers: { bad: entry, good: { command: "a" } } }));
  expect(servers.map(({ name }) => name)).toEqual(["good"]);
  expect(skipped).toMatchObject([{ name: "bad", reason: expect.stringMatching(reason) }]);
  expect(JSON.stringify(skipped)).not.toContain("s3cret");
});

it.each([
  [{ args: "a b" }, "`args` is no list and was left out; write each argument as a text of a list"],
  [{ args: ["a", {}] }, "an argument that is no text was left out of `args`"],
  [{ env: { A: ["b"], B: null } }, "a value that is no text was left out of `env`"],
  [{ env: ["A=b"] }, "`env` is no mapping and was left out"],
])("what is left out of an entry is said: %j", (part, warning) => {
  const { servers } = readImport(JSON.stringify({ mcpServers: { a: { command: "a", ...part } } }));
  expect(servers.map(({ warnings }) => warnings)).toEqual([[warning]]);
});

it("nothing is said of an entry without values", () => {
  const { servers } = readImport('{"mcpServers": {"a": {"command": "a", "args": null, "env": {"A": null}}}}');
  expect(servers.map(({ warnings }) => warnings)).toEqual([[]]);
});

it.each([String.raw`\u0000`, String.raw`\ud800`])("a text with %s, which no file can hold, is refused", (written) => {
  const text = `{"mcpServers": {"a": {"command": "a", "args": ["x${written}"]}}}`;
  expect(() => readImport(text)).toThrow(/half of a surrogate pair/);
});

const PLACEHOLDER = /\$\{([A-Za-z_][A-Za-z0-9_]{0,127})(?::-[^}]*)?\}/g;

it("every placeholder that is left is an input, and every input stands somewhere", () => {
  const piece = fc.constantFrom(
    ...[
      "${A}",
      "${A:-b}",
      "${input:x-y}",
      "${env:HOME}",
      "{env:Q}",
      "{file:~/k}",
      "${user config}",
      "${",
      "}",
      "<KEY>",
    ],
    ...["YOUR_TOKEN", "plain", "$B", "${}", "${9}", "${A:-}"],
  );
  const text = fc.array(piece, { maxLength: 5 }).map((parts) => parts.join(""));
  const texts = fc.dictionary(fc.constantFrom("A", "B_C", "x-y"), text);
  fc.assert(
    fc.property(fc.array(text), texts, texts, (args, env, headers) => {
      const file = { servers: { one: { command: "a", args, env }, two: { url: "https://a.example/${A}", headers } } };
      for (const { declaration, inputs } of readImport(JSON.stringify(file)).servers) {
        const { args = [], env = {}, headers = {}, url = "" } = declaration;
        const all = [...args, ...Object.values(env), ...Object.values(headers), url].join("\n");
        const used = new Set([...all.matchAll(PLACEHOLDER)].map((found) => found[1]));
        expect(new Set(inputs.map(({ key }) => key))).toEqual(used);
      }
    }),
    { numRuns: 200 },
  );
});

it("no JSON makes it fail otherwise", () => {
  fc.assert(
    fc.property(
      fc.object({ key: fc.constantFrom("mcpServers", "servers", "mcp", "packages", "command", "a") }),
      (value) => {
        try {
          readImport(JSON.stringify(value));
        } catch (error) {
          expect(error).toBeInstanceOf(ImportError);
        }
      },
    ),
    { numRuns: 200 },
  );
});
