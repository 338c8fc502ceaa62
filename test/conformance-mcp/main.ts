/**
 * `pnpm conformance:mcp`: runs the conformance suite of MCP against `/mcp` of a service with fixture tools, and against a
 * service as the client of the suite's servers, and writes `docs/conformance-mcp.md`. The suite comes from npm, so this is no
 * part of the tests. Fails where a scenario fails that no skip names, and where one passes that a skip names.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { startTestService } from "../../apps/server/src/testing/test-service.ts";
import { FIXTURE_TOOLS } from "./fixture-tools.ts";
import { conformanceReport, type Revision, type Scenario, type Side, SUITE } from "./report.ts";
import { SKIPS } from "./skips.ts";

const REVISIONS: readonly Revision[] = ["2025-11-25", "2026-07-28"];
const page = new URL("../../docs/conformance-mcp.md", import.meta.url);

interface Check {
  readonly id: string;
  readonly status: string;
  readonly errorMessage?: string;
}

/** Milliseconds that a scenario of a client may take. */
const CLIENT_MS = 120_000;
const client = fileURLToPath(new URL("our-client.ts", import.meta.url));

/** Folders of results, at any depth: the names of some scenarios have a slash. */
function resultsIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => basename(path) === "checks.json")
    .map((path) => dirname(path));
}

/**
 * Runs the suite's program in the Node that runs this one, since an older one of the machine cannot load it, and without the
 * command of an `npx -c` around this one, which npx would take for its own. Resolves with what it prints. The exit code is not
 * looked at: it counts what is skipped here.
 */
async function suite(args: readonly string[]): Promise<string> {
  const PATH = [dirname(process.execPath), process.env.PATH].join(delimiter);
  const child = spawn("npx", ["-y", SUITE, ...args], {
    stdio: ["ignore", "pipe", "ignore"],
    env: { ...process.env, PATH, npm_config_call: undefined, npm_config_package: undefined },
  });
  let printed = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    printed += chunk;
  });
  await new Promise((resolve, reject) => child.once("close", resolve).once("error", reject));
  return printed;
}

async function run(side: Side, revision: Revision, how: readonly string[]): Promise<readonly Scenario[]> {
  const folder = mkdtempSync(join(tmpdir(), "conformance-mcp-"));
  await suite([side, ...how, "--spec-version", revision, "-o", folder]);
  const scenarios = resultsIn(folder).map((name) => {
    const checks = JSON.parse(readFileSync(join(folder, name, "checks.json"), "utf8")) as readonly Check[];
    // A client's warnings are advice that was not taken; a server's are of what it does not offer.
    const failed = checks.filter(({ status }) => status === "FAILURE" || (side === "client" && status === "WARNING"));
    const plain = name.replace(/-\d{4}-\d{2}-\d{2}T[\dZ-]+$/, "");
    return {
      ...{ side, revision },
      name: side === "server" ? plain.replace(/^server-/, "") : plain,
      passed: checks.filter(({ status }) => status === "SUCCESS").length,
      failures: failed.map(({ id, errorMessage = "" }) => `${id}: ${errorMessage}`),
    };
  });
  rmSync(folder, { recursive: true });
  if (scenarios.length === 0) throw new Error(`${SUITE} ran no scenario of ${revision}`);
  return scenarios.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** Runs the scenarios of clients one after the other: each is a service of its own. */
async function runClient(revision: Revision): Promise<readonly Scenario[]> {
  const command = `${process.execPath} --conditions=@agent-service/source ${client}`;
  const listed = await suite(["list", "--client", "--spec-version", revision]);
  const names = [...listed.matchAll(/^ +- (\S+) \[(?!extension)/gm)].map(([, name = ""]) => name);
  const scenarios: Scenario[] = [];
  for (const name of names.toSorted()) {
    const how = ["--command", command, "--timeout", String(CLIENT_MS), "--scenario", name];
    scenarios.push(...(await run("client", revision, how)));
  }
  return scenarios;
}

const service = await startTestService({
  tools: FIXTURE_TOOLS,
  config: "mcp: { expose: { enabled: true, tools: ['test_*', json_schema_2020_12_tool] } }\n",
});
try {
  const scenarios: Scenario[] = [];
  for (const revision of REVISIONS)
    scenarios.push(...(await run("server", revision, ["--url", `${service.url}/mcp`, "--suite", "all"])));
  for (const revision of REVISIONS) scenarios.push(...(await runClient(revision)));
  writeFileSync(page, conformanceReport(scenarios, SKIPS));
  const wrong = scenarios.filter(
    ({ side, name, failures }) => failures.length > 0 !== Object.hasOwn(SKIPS[side], name),
  );
  for (const { side, revision, name, failures } of wrong)
    console.error(
      `${side} ${revision} ${name}: ${failures.length === 0 ? "passes, but is skipped" : failures.join("; ")}`,
    );
  process.exitCode = wrong.length === 0 ? 0 : 1;
} finally {
  await service.stop();
}
