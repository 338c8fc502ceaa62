/**
 * `pnpm conformance:mcp`: runs the conformance suite of MCP against `/mcp` of a service with fixture tools, and writes
 * `docs/conformance-mcp.md`. The suite comes from npm, so this is no part of the tests. Fails where a scenario fails that no
 * skip names, and where one passes that a skip names.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startTestService } from "../../apps/server/src/testing/test-service.ts";
import { FIXTURE_TOOLS } from "./fixture-tools.ts";
import { conformanceReport, type Revision, type Scenario, SUITE } from "./report.ts";
import { SKIPS } from "./skips.ts";

const REVISIONS: readonly Revision[] = ["2025-11-25", "2026-07-28"];
const page = new URL("../../docs/conformance-mcp.md", import.meta.url);

interface Check {
  readonly id: string;
  readonly status: string;
  readonly errorMessage?: string;
}

/** Runs all scenarios of a revision. The exit code is not looked at: it counts what is skipped here. */
async function run(url: string, revision: Revision): Promise<readonly Scenario[]> {
  const folder = mkdtempSync(join(tmpdir(), "conformance-mcp-"));
  const args = ["-y", SUITE, "server", "--url", url, "--suite", "all", "--spec-version", revision, "-o", folder];
  const child = spawn("npx", args, { stdio: ["ignore", "ignore", "inherit"] });
  await new Promise((resolve, reject) => child.once("close", resolve).once("error", reject));
  const scenarios = readdirSync(folder).map((name) => {
    const checks = JSON.parse(readFileSync(join(folder, name, "checks.json"), "utf8")) as readonly Check[];
    const failed = checks.filter(({ status }) => status === "FAILURE");
    return {
      revision,
      name: name.replace(/^server-(.+)-\d{4}-\d{2}-\d{2}T[\dZ-]+$/, "$1"),
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
  for (const revision of REVISIONS) scenarios.push(...(await run(`${service.url}/mcp`, revision)));
  writeFileSync(page, conformanceReport(scenarios, SKIPS));
  const wrong = scenarios.filter(({ name, failures }) => failures.length > 0 !== Object.hasOwn(SKIPS, name));
  for (const { revision, name, failures } of wrong)
    console.error(`${revision} ${name}: ${failures.length === 0 ? "passes, but is skipped" : failures.join("; ")}`);
  process.exitCode = wrong.length === 0 ? 0 : 1;
} finally {
  await service.stop();
}
