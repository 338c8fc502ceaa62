import * as v from "valibot";
import { hasPlaceholder } from "../placeholder/index.ts";
import type { ServerTarget } from "../server-target.ts";
import { isFileKey } from "./file-key.ts";
import { isServerName, toServerName } from "./server-name.ts";
import { type ServerDeclaration, serverSchema } from "./server-schema.ts";
import type { McpServerEntry, McpServerSettings } from "./server-settings.ts";
import { urlProblem } from "./url-problem.ts";

/** Most servers of an instance (M1). */
export const MAX_SERVERS = 64;

/** What the section says for servers that do not say it themselves. */
export interface ServerDefaults {
  readonly call_timeout_seconds: number;
  readonly max_result_chars: number;
}

/** The servers of a section, and what a person should know of the list, one sentence each. */
export interface McpServerList {
  readonly entries: readonly McpServerEntry[];
  readonly warnings: readonly string[];
}

/** Reads every entry; one that is wrong is `misconfigured` and takes nothing from the others (S8). */
export function readMcpServers(section: ServerDefaults & { readonly servers: readonly unknown[] }): McpServerList {
  const kept = section.servers.slice(0, MAX_SERVERS);
  const own = new Set(kept.map(nameOf));
  const taken = new Set<string>();
  const entries = kept.map((raw): McpServerEntry => {
    const read = readMcpServer(raw, section);
    const given = nameOf(raw);
    if (given !== undefined && !taken.has(given)) {
      taken.add(given);
      return { ...read, name: given };
    }
    const name = toServerName(textOf(raw, "name") ?? "", (one) => taken.has(one) || own.has(one));
    taken.add(name);
    if (given === undefined) return { ...read, name };
    const problem = "another server of the list has the same `name`; give this one a name of its own";
    return { kind: "misconfigured", name, enabled: isEnabled(raw), problem };
  });
  const over = section.servers.length - kept.length;
  const warnings = over > 0 ? [`only the first ${MAX_SERVERS} servers are used; take out ${over}`] : [];
  return { entries, warnings };
}

/** Reads one entry, as it is in a file or in a request. */
export function readMcpServer(raw: unknown, defaults: ServerDefaults): McpServerEntry {
  const result = v.safeParse(serverSchema, withoutNulls(raw), { abortEarly: true, abortPipeEarly: true });
  const misconfigured = (problem: string): McpServerEntry => ({
    ...{ kind: "misconfigured", name: toServerName(textOf(raw, "name") ?? ""), enabled: isEnabled(raw), problem },
  });
  if (!result.success) return misconfigured(problemOf(result.issues[0]));
  const unwritable = unwritableKey(raw);
  if (unwritable !== undefined)
    return misconfigured(`\`${unwritable}\` has a name that no configuration file may hold; take it out`);
  const target = targetOf(result.output);
  if (typeof target === "string") return misconfigured(target);
  return { kind: "server", name: result.output.name, settings: settingsOf(result.output, target, defaults, raw) };
}

/** The mapping with a key that could not be saved. The schema passes over such keys. */
function unwritableKey(raw: unknown): string | undefined {
  const fields = raw as { readonly [key: string]: object | null | undefined };
  return ["env", "headers", "effects"].find((key) => !Object.keys(fields[key] ?? {}).every(isFileKey));
}

/** Schema messages begin in lower case or with a key; anything that valibot itself wrote could quote the value. */
function problemOf(issue: v.BaseIssue<unknown>): string {
  return issue.message.startsWith("Invalid ") ? "a key has a value of a wrong type; see docs/mcp.md" : issue.message;
}

/** A key that is written without a value counts as left out, as in every section. */
function withoutNulls(raw: unknown): unknown {
  if (typeof raw !== "object" || raw === null || Array.isArray(raw)) return raw;
  return Object.fromEntries(Object.entries(raw).filter(([, value]) => value !== null));
}

function textOf(raw: unknown, key: string): string | undefined {
  if (typeof raw !== "object" || raw === null || !Object.hasOwn(raw, key)) return undefined;
  const value = (raw as { readonly [key: string]: unknown })[key];
  return typeof value === "string" ? value : undefined;
}

function nameOf(raw: unknown): string | undefined {
  const name = textOf(raw, "name");
  return name !== undefined && isServerName(name) ? name : undefined;
}

function isEnabled(raw: unknown): boolean {
  return (raw as { readonly enabled?: unknown } | null | undefined)?.enabled !== false;
}

/** How it is reached, or what is wrong with that. */
function targetOf(declared: ServerDeclaration): ServerTarget | string {
  const { command, args, env, cwd, url, headers } = declared;
  const transport = declared.transport === "http" ? "streamable_http" : declared.transport;
  if (command !== undefined && url !== undefined) return "a server has either `command` or `url`; take one of them out";
  if (command === undefined && url === undefined)
    return transport === "stdio"
      ? "a stdio server has a `command`; give it"
      : "a server has `command` or `url`; give one";
  if (command !== undefined) {
    if (transport !== undefined && transport !== "stdio")
      return "a server with `command` has the `transport` stdio; change it, or give a `url` instead";
    return { transport: "stdio", command, args, env, ...(cwd !== undefined && { cwd }) };
  }
  if (transport === "stdio") return "a server with `url` has the `transport` streamable_http or sse; change it";
  const problem = url === undefined ? undefined : urlProblem(url, hasPlaceholder(url));
  return problem ?? { transport: transport ?? "streamable_http", url: url ?? "", headers };
}

/** Keys of the other kind of server, which do nothing in this one. */
const USELESS = { stdio: ["headers"], http: ["args", "env", "cwd"] } as const;

function warningsOf(raw: unknown, target: ServerTarget): readonly string[] {
  const keys = Object.keys(raw as object);
  const useless = USELESS[target.transport === "stdio" ? "stdio" : "http"].filter((key) => keys.includes(key));
  const unknown = keys.filter((key) => !Object.hasOwn(serverSchema.entries, key)).length;
  const kind = target.transport === "stdio" ? "`command`" : "`url`";
  return [
    ...useless.map((key) => `\`${key}\` does nothing for a server with ${kind}; take it out`),
    ...(unknown === 0 ? [] : [`${unknown === 1 ? "1 key is" : `${unknown} keys are`} not known and ignored`]),
  ];
}

function settingsOf(
  declared: ServerDeclaration,
  target: ServerTarget,
  defaults: ServerDefaults,
  raw: unknown,
): McpServerSettings {
  const { tools, oauth, call_timeout, max_result_chars, inherit_env } = declared;
  const { name, enabled, pinning, effects, approve, federation, elicitation, sampling, roots } = declared;
  const callSeconds = call_timeout ?? defaults.call_timeout_seconds;
  const chars = max_result_chars ?? defaults.max_result_chars;
  return {
    ...{ name, enabled, target, pinning, effects, approve, federation, elicitation, sampling, roots },
    ...{ include: tools.include, exclude: tools.exclude, inheritEnv: inherit_env },
    callTimeoutMs: callSeconds === 0 ? null : callSeconds * 1_000,
    maxResultChars: chars === 0 ? null : chars,
    ...(oauth !== undefined && {
      oauth: {
        ...{ scopes: oauth.scopes, grant: oauth.grant },
        ...(oauth.client_id !== undefined && { clientId: oauth.client_id }),
      },
    }),
    warnings: warningsOf(raw, target),
  };
}
