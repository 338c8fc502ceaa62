/** The suite, as npm has it. The newest; `latest` is older and knows nothing of the revision 2026-07-28. */
export const SUITE = "@modelcontextprotocol/conformance@0.2.0-alpha.12";

/** A revision of MCP. */
export type Revision = "2025-11-25" | "2026-07-28";

/** A scenario as it was run. */
export interface Scenario {
  readonly revision: Revision;
  readonly name: string;
  /** Checks. */
  readonly passed: number;
  /** The checks that failed, each with what the suite says of it. */
  readonly failures: readonly string[];
}

/** The page. */
export function conformanceReport(
  scenarios: readonly Scenario[],
  skips: { readonly [scenario: string]: string },
): string {
  const [passing, failing] = [
    scenarios.filter(({ failures }) => failures.length === 0),
    scenarios.filter(({ failures }) => failures.length > 0),
  ];
  const row = ({ revision, name, passed }: Scenario): string => `| ${revision} | \`${name}\` | ${passed} |`;
  const skipped = ({ revision, name, passed, failures }: Scenario): string =>
    `| ${revision} | \`${name}\` | ${passed} of ${passed + failures.length} | ${skips[name] ?? "**Fails.**"} |`;
  return `# Conformance of \`/mcp\`

\`${SUITE}\` against the [endpoint for MCP clients](mcp.md#your-agent-as-an-mcp-server) of a service with
fixture tools (\`test/conformance-mcp\`). Written by \`pnpm conformance:mcp\`, which needs npm and is no part of the tests.

${passing.length} of ${scenarios.length} scenarios pass; ${failing.length} are skipped, each for the reason beside it.

## Pass

| Revision | Scenario | Checks |
|---|---|---|
${passing.map(row).join("\n")}

## Skipped

| Revision | Scenario | Checks that pass | Why |
|---|---|---|---|
${failing.map(skipped).join("\n")}
`;
}
