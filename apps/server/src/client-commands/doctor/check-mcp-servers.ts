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
  /** Until when its sign-in holds; null: it renews itself, or there is none. */
  readonly auth_ends_at?: string | null;
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
  needs_auth: (name) => `agent-service mcp login ${name}, or give it a credential: mcp set ${name} --header`,
  failing: (name) => `agent-service mcp logs ${name} shows what it wrote; mcp restart ${name} tries at once`,
  backoff: (name) => `agent-service mcp logs ${name} shows what it wrote; it is tried again by itself`,
};

/** A sign-in that ends so soon is worth a line. */
const SOON_MS = 7 * 24 * 3_600_000;

function endOf(name: string, at: string | null | undefined): readonly Finding[] {
  if (at === null || at === undefined) return [];
  const left = Date.parse(at) - Date.now();
  if (left > SOON_MS) return [];
  const text =
    left <= 0 ? `the sign-in to ${name} has ended` : `the sign-in to ${name} ends at ${at} and is not renewed`;
  return [warning(text, `agent-service mcp login ${name}`)];
}

function findingsOf({ name, state, detail, held_count: held, ...rest }: ListedServer): readonly Finding[] {
  const { warnings, auth_ends_at: endsAt } = rest;
  const remedy = REMEDIES[state];
  const changed = held === 1 ? "1 definition waits" : `${held} definitions wait`;
  return [
    ...(remedy === undefined
      ? []
      : [warning(`${name} is not connected${detail === null ? "" : `: ${detail}`}`, remedy(name))]),
    ...endOf(name, endsAt),
    ...(held === 0 ? [] : [warning(`${name}: ${changed} for approval`, `agent-service mcp approve ${name}`)]),
    ...warnings.map((text) => warning(`${name}: ${text}`)),
  ];
}

function warning(text: string, remedy?: string): Finding {
  return { state: "warning", about, text, ...(remedy !== undefined && { remedy }) };
}
