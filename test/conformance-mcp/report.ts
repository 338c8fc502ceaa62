/** The suite, as npm has it. The newest; `latest` is older and knows nothing of the revision 2026-07-28. */
export const SUITE = "@modelcontextprotocol/conformance@0.2.0-alpha.12";

/** A revision of MCP. */
export type Revision = "2025-11-25" | "2026-07-28";

/** What of the service is tested: `/mcp`, or its connections to servers. */
export type Side = "server" | "client";

/** A scenario as it was run. */
export interface Scenario {
  readonly side: Side;
  readonly revision: Revision;
  readonly name: string;
  /** Checks. */
  readonly passed: number;
  /** The checks that failed, each with what the suite says of it. */
  readonly failures: readonly string[];
}

/** Why scenarios are not passed. */
export type Skips = { readonly [side in Side]: { readonly [scenario: string]: string } };

/** The page. */
export function conformanceReport(scenarios: readonly Scenario[], skips: Skips): string {
  return `# Conformance of MCP

\`${SUITE}\` against the [endpoint for MCP clients](mcp.md#your-agent-as-an-mcp-server) of a service with
fixture tools, and against a service whose operator adds the suite's servers, signs in to them and calls their tools
(\`test/conformance-mcp\`). Written by \`pnpm conformance:mcp\`, which needs npm and is no part of the tests.

${sideReport("server", "As a server: `/mcp`", scenarios, skips)}
${sideReport("client", "As a client", scenarios, skips)}`;
}

function sideReport(side: Side, title: string, all: readonly Scenario[], skips: Skips): string {
  const scenarios = all.filter((one) => one.side === side);
  const passing = scenarios.filter(({ failures }) => failures.length === 0);
  const failing = scenarios.filter(({ failures }) => failures.length > 0);
  const row = ({ revision, name, passed }: Scenario): string => `| ${revision} | \`${name}\` | ${passed} |`;
  const skipped = ({ revision, name, passed, failures }: Scenario): string =>
    `| ${revision} | \`${name}\` | ${passed} of ${passed + failures.length} | ${skips[side][name] ?? "**Fails.**"} |`;
  return `## ${title}

${passing.length} of ${scenarios.length} scenarios pass; ${failing.length} are skipped, each for the reason beside it.

| Revision | Passed | Checks |
|---|---|---|
${passing.map(row).join("\n")}

| Revision | Skipped | Checks that pass | Why |
|---|---|---|---|
${failing.map(skipped).join("\n")}
`;
}
