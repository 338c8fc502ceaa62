import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { resolvePaths } from "./resolve-paths.ts";
import { resolveStore } from "./resolve-store.ts";

const root = mkdtempSync(join(tmpdir(), "paths-"));
afterAll(() => rmSync(root, { recursive: true }));
const sandbox = join(root, "sandbox");
const absent = join(root, "absent");
mkdirSync(sandbox);

const world = { userHome: "/home/u", sandbox: absent };

test.each<[string, Record<string, string>, string | undefined, string, string]>([
  ["nothing", {}, undefined, "/home/u/.protoagent", "/home/u/.protoagent/config"],
  [
    "blank variables",
    { SVC_HOME: " ", SVC_CONFIG_DIR: "" },
    undefined,
    "/home/u/.protoagent",
    "/home/u/.protoagent/config",
  ],
  ["another agent's name", { AGENT_NAME: "other" }, undefined, "/home/u/.protoagent", "/home/u/.protoagent/config"],
  ["a checkout", {}, "/src/agent", "/home/u/.protoagent", "/src/agent/config"],
  ["SVC_HOME", { SVC_HOME: "/data" }, undefined, "/data", "/data/config"],
  ["SVC_HOME and a checkout", { SVC_HOME: "/data" }, "/src/agent", "/data", "/src/agent/config"],
  ["SVC_CONFIG_DIR over a checkout", { SVC_CONFIG_DIR: "/etc/a" }, "/src/agent", "/home/u/.protoagent", "/etc/a"],
  ["a tilde", { SVC_HOME: "~/data", SVC_CONFIG_DIR: "~" }, undefined, "/home/u/data", "/home/u"],
])("with %s, home and configuration are as N3 requires", (_what, env, checkoutRoot, home, configDir) => {
  expect(resolvePaths({ env, checkoutRoot, ...world })).toEqual({
    home,
    configDir,
    configFile: `${configDir}/agent-config.yaml`,
    secretsFile: `${configDir}/secrets.yaml`,
    soulFile: `${configDir}/SOUL.md`,
    hostFile: `${home}/host-config.yaml`,
    setupMarker: `${configDir}/.setup-complete`,
    sandbox: undefined,
  });
});

test("a relative folder counts from the working directory", () => {
  expect(resolvePaths({ env: { SVC_HOME: "data" }, ...world }).home).toBe(join(process.cwd(), "data"));
});

test("the sandbox is used where it is and never created", () => {
  expect(resolvePaths({ env: {}, ...world }).sandbox).toBeUndefined();
  expect(existsSync(absent)).toBe(false);
  expect(resolvePaths({ env: {}, ...world, sandbox }).sandbox).toBe(sandbox);
});

test("a sandbox that cannot be written is not used", () => {
  const closed = join(root, "closed");
  mkdirSync(closed, { mode: 0o555 });
  chmodSync(root, 0o755);
  // Root may write anywhere, so a process of root gives its rights away first.
  const script = `
    import { isWritableFolder } from ${JSON.stringify(new URL("resolve-paths.ts", import.meta.url).href)};
    if (process.getuid() === 0) { process.setgid(65534); process.setuid(65534); }
    process.stdout.write(String(isWritableFolder(${JSON.stringify(closed)})));
  `;
  const run = spawnSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
  expect([run.stdout, run.status]).toEqual(["false", 0]);
});

const isDefault = { layer: "default" } as const;
const written = { layer: "file", file: "f", line: 1 } as const;
const home = "/home/u/.protoagent";

test.each([
  ["a default without a sandbox", "/sandbox/checkpoints.db", isDefault, undefined, "", `${home}/checkpoints.db`],
  ["a default in a folder", "/sandbox/knowledge/agent.db", isDefault, undefined, "", `${home}/knowledge/agent.db`],
  ["a default with a sandbox", "/sandbox/checkpoints.db", isDefault, "/sandbox", "", "/sandbox/checkpoints.db"],
  ["an instance", "/sandbox/checkpoints.db", isDefault, undefined, "two", `${home}/two/checkpoints.db`],
  [
    "an instance in the sandbox",
    "/sandbox/checkpoints.db",
    isDefault,
    "/sandbox",
    "two",
    "/sandbox/two/checkpoints.db",
  ],
  ["an operator's own path", "/sandbox/mine.db", written, undefined, "two", "/sandbox/mine.db"],
  ["a relative path", "mine.db", written, undefined, "two", `${home}/two/mine.db`],
  ["blank: memory", " ", written, undefined, "two", ""],
  ["a server", "libsql://db.test?tls=1", written, undefined, "two", "libsql://db.test?tls=1"],
  ["a server by http", "http://127.0.0.1:8080", written, "/sandbox", "", "http://127.0.0.1:8080"],
])("%s is resolved as N3, R11 and R12 require", (_what, value, from, atSandbox, instance, url) => {
  expect(resolveStore(value, { paths: { home, sandbox: atSandbox }, instance, from })).toBe(url);
});
