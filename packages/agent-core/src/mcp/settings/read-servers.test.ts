// biome-ignore-all lint/suspicious/noTemplateCurlyInString: placeholders of settings are written so
import fc from "fast-check";
import * as v from "valibot";
import { expect, test } from "vitest";
import { mcpSection } from "../mcp-section.ts";
import { isServerName, readMcpServer, readMcpServers, toServerName } from "./index.ts";

const section = (servers: readonly unknown[], more: object = {}) =>
  readMcpServers(v.parse(mcpSection.schema, { ...more, servers }));
const defaults = v.parse(mcpSection.schema, {});

function problemOf(entry: unknown): string {
  const read = readMcpServer(entry, defaults);
  if (read.kind !== "misconfigured") throw new Error("it is configured");
  return read.problem;
}

test("a program needs a name and a command, a service a name and an address; all else has a default", () => {
  const { entries } = section([
    { name: "files", command: "npx", args: ["-y", "server", 1], env: { DEBUG: true } },
    { name: "web", url: "https://mcp.example/v1" },
    { name: "old", url: "http://127.0.0.1:3000/sse", transport: "sse" },
    { name: "alias", url: "https://mcp.example/v1", transport: "http", headers: { "X-Key": "k" } },
  ]);
  expect(entries.map((entry) => entry.kind === "server" && entry.settings.target)).toEqual([
    { transport: "stdio", command: "npx", args: ["-y", "server", "1"], env: { DEBUG: "true" } },
    { transport: "streamable_http", url: "https://mcp.example/v1", headers: {} },
    { transport: "sse", url: "http://127.0.0.1:3000/sse", headers: {} },
    { transport: "streamable_http", url: "https://mcp.example/v1", headers: { "X-Key": "k" } },
  ]);
  expect(entries[0]).toMatchObject({
    settings: {
      ...{ enabled: true, include: [], exclude: [], callTimeoutMs: 300_000, maxResultChars: 50_000, effects: {} },
      ...{ pinning: "strict", approve: "marked", federation: false, elicitation: true, sampling: false, roots: false },
      ...{ inheritEnv: [], warnings: [] },
    },
  });
});

test("a server's own limits beat the section's, and 0 is none", () => {
  const limits = (own: object, all: object) => {
    const [entry] = section([{ name: "a", command: "a", ...own }], all).entries;
    return entry?.kind === "server" && [entry.settings.callTimeoutMs, entry.settings.maxResultChars];
  };
  expect(limits({}, { call_timeout_seconds: 5, max_result_chars: 0 })).toEqual([5_000, null]);
  expect(limits({ call_timeout: 0, max_result_chars: 9 }, { call_timeout_seconds: 5 })).toEqual([null, 9]);
});

test("one wrong entry is that server's state, and the others are configured", () => {
  const { entries } = section([
    { name: "a", command: "a" },
    ...[{ name: "My Server!", command: "b" }, "text", null, { name: "a", command: "c" }, { name: "z" }],
  ]);
  expect(entries.map(({ kind, name }) => [kind, name])).toEqual([
    ["server", "a"],
    ["misconfigured", "my-server"],
    ["misconfigured", "server"],
    ["misconfigured", "server-2"],
    ["misconfigured", "a-2"],
    ["misconfigured", "z"],
  ]);
});

test.each<[string, object, string]>([
  ["no name", { name: undefined }, "a server has a `name`"],
  ["a name in capitals", { name: "Hunter2" }, "`name` is at most 32"],
  ["two underscores", { name: "a__hunter2" }, "`name` is at most 32"],
  ["a word of the API", { name: "catalog" }, "`name` is at most 32"],
  ["an unknown transport", { transport: "hunter2" }, "`transport` is stdio, streamable_http or sse"],
  ["neither command nor address", { command: undefined }, "give one"],
  ["both", { url: "https://hunter2.example" }, "take one of them out"],
  ["a command over HTTP", { transport: "sse" }, "has the `transport` stdio"],
  ["an address over stdio", { command: undefined, url: "https://hunter2.example", transport: "stdio" }, "change it"],
  ["a password in the address", { command: undefined, url: "https://me:hunter2@a.example" }, "give it as a header"],
  ["one beside a placeholder", { command: undefined, url: "https://me:hunter2@${HOST}/" }, "give it as a header"],
  ["another scheme", { command: undefined, url: "file:///hunter2" }, "begins with https://"],
  ["no address", { command: undefined, url: "hunter2" }, "`url` is no address"],
  ["an empty command", { command: "" }, "`command` is empty"],
  ["a NUL", { args: ["hunter2\0"] }, "`args` holds a NUL"],
  ["a bad variable", { env: { "hunter2=x": "1" } }, "names of variables"],
  ["a list as a value", { env: { A: ["hunter2"] } }, "the values in `env` are texts"],
  ["a header of two lines", { command: undefined, url: "https://a.example", headers: { A: "hunter2\n1" } }, "one line"],
  ["a header of ours", { command: undefined, url: "https://a.example", headers: { Host: "hunter2" } }, "sets itself"],
  ["a relative folder", { cwd: "hunter2" }, "`cwd` is an absolute path"],
  ["a negative time", { call_timeout: -1 }, "`call_timeout` is a number of seconds"],
  ["half a character", { max_result_chars: 1.5 }, "`max_result_chars` is a whole number"],
  ["an unknown class", { effects: { a: "hunter2" } }, "`effects` maps"],
  ["an unknown way to pin", { pinning: "hunter2" }, "`pinning` is"],
  ["an unknown way to ask", { approve: "hunter2" }, "`approve` is"],
  ["a text as a switch", { enabled: "hunter2" }, "`enabled` is true or false"],
  ["one as another switch", { federation: "hunter2" }, "`federation` is true or false"],
  ["a text for a list", { tools: { include: "hunter2" } }, "hold names"],
  ["a variable of the service", { inherit_env: ["SVC_HUNTER2"] }, "belongs to this service"],
  ["another of it", { inherit_env: ["MODEL_API_KEY"] }, "belongs to this service"],
  ["a grant that is none", { oauth: { grant: "hunter2" } }, "`oauth.grant` is"],
])("%s is refused in one sentence that repeats nothing of it", (_what, change, part) => {
  const problem = problemOf({ name: "a", command: "b", ...change });
  expect(problem).toContain(part);
  expect(problem).not.toMatch(/hunter2|\n/i);
});

test("keys that do nothing are a warning that names no value", () => {
  const read = readMcpServer({ name: "a", command: "b", headers: { A: "x" }, hunter2: 1, url: null }, defaults);
  expect(read.kind === "server" && read.settings.warnings).toEqual([
    "`headers` does nothing for a server with `command`; take it out",
    "1 key is not known and ignored",
  ]);
});

test("servers beyond 64 are left out with a warning", () => {
  const { entries, warnings } = section(Array.from({ length: 66 }, (_, i) => ({ name: `s${i}`, command: "x" })));
  expect([entries.length, warnings]).toEqual([64, ["only the first 64 servers are used; take out 2"]]);
});

test("property: whatever an entry is, it is read, has a server's name, and its problem repeats nothing", () => {
  const keys = ["name", "transport", "command", "args", "env", "url", "headers", "tools", "oauth", "effects", "cwd"];
  const entry = fc.oneof(fc.dictionary(fc.constantFrom(...keys), fc.jsonValue({ maxDepth: 2 })), fc.jsonValue());
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 6 }), (servers) => {
      const { entries } = section(servers);
      expect(entries.length).toBe(servers.length);
      expect(new Set(entries.map(({ name }) => name)).size).toBe(entries.length);
      for (const one of entries) {
        expect(isServerName(one.name)).toBe(true);
        if (one.kind === "misconfigured") expect(one.problem).toMatch(/^[a-z`].{10,200}$/);
      }
    }),
  );
});

test("property: any text becomes a server's name that is free", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: "grapheme" }), fc.constantFrom("import", "__", "a__b")), (text) => {
      const first = toServerName(text);
      const second = toServerName(text, (name) => name === first);
      expect([isServerName(first), isServerName(second), second === first]).toEqual([true, true, false]);
    }),
  );
  expect(
    ["My Server", "@scope/Über_pkg", "import", "constructor", "GitHub__x"].map((text) => toServerName(text)),
  ).toEqual([...["my-server", "scope-uber_pkg", "import-1", "constructor-1", "github_x"]]);
});
