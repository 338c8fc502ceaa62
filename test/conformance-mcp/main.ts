/**
 * `pnpm conformance:mcp`: runs the conformance suite of MCP against `/mcp` of a service with fixture tools, and against a
 * service as the client of the suite's servers, and writes `docs/conformance-mcp.md`. The suite comes from npm, so this is no
 * part of the tests. Fails where a scenario fails that no skip names, and where one passes that a skip names.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
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

/** Milliseconds that a scenario of a client may take: each starts a service, many at once. */
const CLIENT_MS = 120_000;
const client = fileURLToPath(new URL("our-client.ts", import.meta.url));

/** Folders of results, at any depth: the names of some scenarios have a slash. */
function resultsIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => basename(path) === "checks.json")
    .map((path) => dirname(path));
}

/** Runs all scenarios of a revision. The exit code is not looked at: it counts what is skipped here. */
async function run(side: Side, revision: Revision, how: readonly string[]): Promise<readonly Scenario[]> {
  const folder = mkdtempSync(join(tmpdir(), "conformance-mcp-"));
  const args = ["-y", SUITE, side, ...how, "--suite", "all", "--spec-version", revision, "-o", folder];
  const child = spawn("npx", args, { stdio: "ignore" });
  await new Promise((resolve, reject) => child.once("close", resolve).once("error", reject));
  const scenarios = resultsIn(folder).map((name) => {
    const checks = JSON.parse(readFileSync(join(folder, name, "checks.json"), "utf8")) as readonly Check[];
    // A client's warnings are advice that was not taken; a server's are of what it does not offer.
    const failed = checks.filter(({ status }) => status === "FAILURE" || (side === "client" && status === "WARNING"));
    return {
      ...{ side, revision },
      name: name
        .replace(/-\d{4}-\d{2}-\d{2}T[\dZ-]+$/, "")
        .replace(/^server-(?!.*\/)(.+)$/, side === "server" ? "$1" : "server-$1"),
      passed: checks.filter(({ status }) => status === "SUCCESS").length,
      failures: failed.map(({ id, errorMessage = "" }) => `${id}: ${errorMessage}`),
    };
  });
  rmSync(folder, { recursive: true });
  if (scenarios.length === 0) throw new Error(`${SUITE} ran no scenario of ${revision}`);
  return scenarios.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

const service = await startTestService({
  tools: FIXTURE_TOOLS,
  config: "mcp: { expose: { enabled: true, tools: ['test_*', json_schema_2020_12_tool] } }\n",
});
try {
  const scenarios: Scenario[] = [];
  const command = `${process.execPath} --conditions=@agent-service/source ${client}`;
  for (const revision of REVISIONS) {
    scenarios.push(...(await run("server", revision, ["--url", `${service.url}/mcp`])));
    scenarios.push(...(await run("client", revision, ["--command", command, "--timeout", String(CLIENT_MS)])));
  }
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
