/** Checks of the MCP servers, as the running service knows them. */
import type { CommandContext } from "../command.ts";
import type { Finding, ReportFinding } from "../finding.ts";

const about = "mcp";

/** A server as the operator API lists it: what is looked at. */
export interface ListedServer {
  readonly name: string;
  readonly enabled: boolean;
  readonly state: string;
  readonly detail: string | null;
  readonly held_count: number;
  readonly warnings: readonly string[];
}

export async function checkMcpServers({ api }: Pick<CommandContext, "api">, report: ReportFinding): Promise<void> {
  const { enabled, servers } = await api.get("/api/mcp/servers");
  if (!enabled) return;
  for (const finding of serverFindings(servers)) report(finding);
}

/** What to say of servers that are on: none works worse for another's trouble, so nothing here is a failure. */
export function serverFindings(servers: readonly ListedServer[]): readonly Finding[] {
  const on = servers.filter(({ enabled }) => enabled);
  const ready = on.filter(({ state }) => state === "ready").length;
  const state = ready === on.length ? "ok" : "warning";
  const text = `${on.length} ${on.length === 1 ? "server" : "servers"}, ${ready} connected`;
  return [...(on.length === 0 ? [] : [{ state, about, text } satisfies Finding]), ...on.flatMap(findingsOf)];
}

const REMEDIES: Readonly<Record<string, (name: string) => string>> = {
  misconfigured: (name) => `agent-service mcp set ${name} asks for what is missing`,
  needs_auth: (name) => `give ${name} its credential: agent-service mcp set ${name} --header`,
  failing: (name) => `agent-service mcp logs ${name} shows what it wrote; mcp restart ${name} tries at once`,
  backoff: (name) => `agent-service mcp logs ${name} shows what it wrote; it is tried again by itself`,
};

function findingsOf({ name, state, detail, held_count: held, warnings }: ListedServer): readonly Finding[] {
  const remedy = REMEDIES[state];
  const changed = held === 1 ? "1 definition waits" : `${held} definitions wait`;
  return [
    ...(remedy === undefined
      ? []
      : [warning(`${name} is not connected${detail === null ? "" : `: ${detail}`}`, remedy(name))]),
    ...(held === 0 ? [] : [warning(`${name}: ${changed} for approval`, `agent-service mcp approve ${name}`)]),
    ...warnings.map((text) => warning(`${name}: ${text}`)),
  ];
}

function warning(text: string, remedy?: string): Finding {
  return { state: "warning", about, text, ...(remedy !== undefined && { remedy }) };
}
