// biome-ignore-all lint/suspicious/noTemplateCurlyInString: placeholders of settings are written so
/** What `doctor` says of MCP servers, while the service runs and while it does not. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Json, temporaryFolders } from "../../testing/index.ts";
import { type McpTestServer, startMcpServer } from "../../testing/mcp-server.ts";
import { runCommand } from "../../testing/run-command.ts";
import { startTestService } from "../../testing/test-service.ts";

const folders = temporaryFolders();
const programs = join(folders.root, "programs");
let server: McpTestServer;
const configured = (more = "") =>
  folders.configure(`model: { name: "scripted:demo" }
mcp:
  enabled: true
  servers:
    - { name: docs, url: "${server.url}" }
    - { name: gone, command: no-such-program-here }
    - { name: loose, command: npx, args: ["-y", some-package] }
    - { name: token, url: "${server.url}", headers: { X-Key: "\${KEY}" } }
    - { name: wrong, url: "ftp://s3cret@a.example" }
    - { name: "off", command: no-such-program-either, enabled: false }
${more}`);
beforeAll(async () => {
  server = await startMcpServer([{ name: "find" }]);
  mkdirSync(programs);
  configured();
});
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
  folders.remove();
});

const environment = (url: string) => ({
  ...{ SVC_HOME: folders.home, SVC_CONFIG_DIR: folders.config, SVC_URL: url, PATH: programs },
});
const doctor = (url: string, ...flags: readonly string[]) =>
  runCommand(["doctor", "--no-model", ...flags], { env: environment(url) });
const NO_SERVICE = "http://127.0.0.1:1";
const linesOf = (text: string): string => [...text.matchAll(/^.*\bmcp {5} .*\n(?: +→.*\n)?/gm)].join("");
/** That `--json` has the same lines. */
const alike = async (url: string, text: string): Promise<void> => {
  const { findings } = (await doctor(url, "--json")).json();
  const shown = findings.filter(({ about }: Json) => about === "mcp");
  expect(shown.map((one: Json) => one.text)).toEqual([...text.matchAll(/^. mcp +(.*)$/gm)].map(([, line]) => line));
};

it("names what a running service does not reach, and what to do", async () => {
  await using running = await startTestService({ folders, env: { PATH: programs } });
  const states = async () => {
    const { servers } = (await (await fetch(`${running.url}/api/mcp/servers`)).json()) as Json;
    return servers.map(({ state }: Json) => (state === "failing" ? "backoff" : state)).join();
  };
  await expect.poll(states).toBe("ready,backoff,backoff,misconfigured,misconfigured,disabled");
  const { stdout } = await doctor(running.url);
  expect(stdout).toMatch(/^! mcp +5 servers, 1 connected$/m);
  expect(stdout).toMatch(
    /^! mcp +gone is not connected: .*no program of its `command`.*\n +→ agent-service mcp logs gone/m,
  );
  expect(stdout).toMatch(/^! mcp +loose: the package that npx downloads has no fixed version/m);
  expect(stdout).toMatch(/^! mcp +token is not connected: \$\{KEY\} has no value.*\n +→ agent-service mcp set token/m);
  expect(stdout).not.toContain("s3cret");
  await alike(running.url, stdout);
});

it("looks at what is saved where no service runs: programs, placeholders, packages", async () => {
  const { stdout } = await doctor(NO_SERVICE);
  expect(linesOf(stdout).split("\n")).toEqual([
    "! mcp      5 servers are switched on; what follows was found without the service",
    "! mcp      gone: there is no program of its command on PATH",
    "           → install it, or write its whole path as command",
    "! mcp      loose: there is no program of its command on PATH",
    "           → install it, or write its whole path as command",
    expect.stringMatching(/^! mcp {6}loose: the package that npx downloads has no fixed version/),
    expect.stringMatching(/^! mcp {6}token: \$\{KEY\} has no value; store it/),
    "           → agent-service mcp set token asks for what is missing, once the service runs",
    expect.stringMatching(/^! mcp {6}wrong: \S/),
    "",
  ]);
  expect(stdout).not.toContain("s3cret");
  await alike(NO_SERVICE, stdout);
});

it("finds programs as they will be found: on PATH, or by a whole path, if they may be run", async () => {
  for (const name of ["no-such-program-here", "npx"]) writeFileSync(join(programs, name), "", { mode: 0o755 });
  configured(`    - { name: path, command: "${join(programs, "npx")}" }
    - { name: plain, command: "${join(folders.root, "agent-config.yaml")}" }
  secrets: {}
`);
  writeFileSync(join(folders.config, "secrets.yaml"), "mcp: { secrets: { token: { KEY: s3cret-value } } }\n", {
    mode: 0o600,
  });
  const { stdout } = await doctor(NO_SERVICE);
  const found = [...stdout.matchAll(/^. mcp +(\w+):/gm)].map(([, name]) => name);
  expect(found).toEqual(["loose", "wrong", "plain"]);
  expect(stdout).toMatch(/loose: the package/);
  expect(stdout).not.toContain("s3cret");
});

it("says nothing of servers while MCP is off", async () => {
  folders.configure(`mcp: { servers: [{ name: gone, command: no-such-program-here }] }\n`);
  expect(linesOf((await doctor(NO_SERVICE)).stdout)).toBe("");
});

it("says how many servers of a long list are not used", async () => {
  const servers = Array.from({ length: 66 }, (_, index) => `{ name: s${index}, url: "https://a.example" }`);
  folders.configure(`mcp: { enabled: true, servers: [${servers.join(", ")}] }\n`);
  expect(linesOf((await doctor(NO_SERVICE)).stdout)).toContain("only the first 64 servers are used; take out 2");
});
