import type { SettingsSection } from "@agent-service/plugin-sdk";
import * as v from "valibot";
import type { Environment } from "../process/index.ts";
import { secretTextsOf } from "./placeholder/index.ts";
import { readMcpServers } from "./settings/index.ts";
import { grantSecrets } from "./sign-in/index.ts";

/** Most entries that are looked at; beyond `MAX_SERVERS` an entry is left out with a warning. */
const MOST_ENTRIES = 1_000;

/** Which operations of the REST plane are offered at `/mcp`. */
const EXPOSE_PROFILES = ["read-only", "full"] as const;

const toolNames = v.optional(
  v.pipe(
    v.array(
      v.pipe(
        v.string("expected the name of a tool"),
        v.regex(/^[a-zA-Z0-9_*-]{1,64}$/, "expected the name of a tool; * matches any characters"),
      ),
    ),
    v.maxLength(1_000),
  ),
  [],
);

const seconds = (most: number) => v.pipe(v.number(), v.finite(), v.minValue(0), v.maxValue(most));

const schema = v.object({
  enabled: v.optional(v.boolean(), false),
  timeout_seconds: v.optional(v.pipe(v.number(), v.finite(), v.minValue(1), v.maxValue(600)), 20),
  call_timeout_seconds: v.optional(seconds(86_400), 300),
  max_result_chars: v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(10_000_000)), 50_000),
  denylist: toolNames,
  expose: v.optional(
    v.object({
      enabled: v.optional(v.boolean(), false),
      profile: v.optional(v.picklist(EXPOSE_PROFILES), "read-only"),
      tools: toolNames,
    }),
    {},
  ),
  // One bad entry is that server's state and refuses nothing (S8), so entries are read one by one: `readMcpServers`.
  servers: v.optional(v.pipe(v.array(v.unknown()), v.maxLength(MOST_ENTRIES, `expected at most ${MOST_ENTRIES}`)), []),
  secrets: v.optional(
    v.record(v.string(), v.record(v.string(), v.string("expected a text"), "expected a mapping of names to texts")),
    {},
  ),
  oauth: v.optional(v.record(v.string(), v.string("expected a text")), {}),
});

/** Entries of `servers` are as they were written: `readMcpServers` reads them. */
export type McpSectionValue = v.InferOutput<typeof schema>;

/** The secrets of all servers, of entries that cannot be used too. */
function secretTexts(value: McpSectionValue, environment: Environment): readonly string[] {
  const { entries } = readMcpServers(value);
  const targets = new Map(entries.map((entry) => [entry.name, entry.kind === "server" ? entry.settings : undefined]));
  const tokens = Object.values(value.oauth).flatMap(grantSecrets);
  const own = [...new Set([...targets.keys(), ...Object.keys(value.secrets)])].flatMap((name) => {
    const settings = targets.get(name);
    const secrets = Object.hasOwn(value.secrets, name) ? (value.secrets[name] ?? {}) : {};
    const inheritEnv = settings?.inheritEnv ?? [];
    return secretTextsOf(settings?.target, { secrets, inheritEnv, environment, isForbidden: () => false });
  });
  return [...tokens, ...own];
}

/** The section `mcp` (M1). A wrong value refuses (S8), except in an entry of `servers`: see `readMcpServers`. */
export const mcpSection = {
  name: "mcp",
  title: "MCP servers",
  category: "Capabilities",
  description: "Tools of other programs and services, over the Model Context Protocol.",
  schema,
  security: true,
  secrets: ["secrets", "oauth"],
  secretTexts,
  fields: {
    enabled: {
      label: "MCP servers",
      description: "Off: no server is started or connected to, and none of their tools exist.",
      type: "bool",
    },
    timeout_seconds: {
      label: "Time to connect",
      description: "Seconds a server may take to connect and to list its tools.",
      type: "number",
      minimum: 1,
      maximum: 600,
    },
    call_timeout_seconds: {
      label: "Time of a call",
      description: "Seconds a call of a tool may take; 0: as long as it likes. `call_timeout` of a server beats it.",
      type: "number",
      minimum: 0,
      maximum: 86_400,
    },
    max_result_chars: {
      label: "Characters of a result",
      description:
        "A longer result loses its middle; 0: only the bound of all tools counts. `max_result_chars` of a server beats it.",
      type: "number",
      minimum: 0,
      maximum: 10_000_000,
    },
    denylist: {
      label: "Blocked tools",
      description:
        "Names such as `files__delete` of tools that are not offered; * matches any characters. Beats all else.",
      type: "string_list",
    },
    "expose.enabled": {
      label: "Serve MCP clients",
      description:
        "Answer MCP clients at `/mcp`, with the operator's credential: `ask_agent`, operations of this API by the profile, and the tools named below. Off: 404.",
      type: "bool",
    },
    "expose.profile": {
      label: "Operations for MCP clients",
      description:
        "`read-only`: what reads. `full`: also what changes conversations, the board, jobs and the inbox. Neither has settings, secrets, projects, approvals or MCP servers. See docs/mcp.md.",
      type: "select",
      options: EXPOSE_PROFILES,
      depends_on: { key: "expose.enabled", equals: true },
    },
    "expose.tools": {
      label: "Tools for MCP clients",
      description:
        "Names of the agent's tools that MCP clients may call directly, with approvals as usual; * matches any characters.",
      type: "string_list",
      depends_on: { key: "expose.enabled", equals: true },
    },
    servers: {
      label: "Servers",
      description:
        "A list of {name, transport}: `command`, `args`, `env`, `cwd` of a program, or `url`, `headers` of a service. A wrong entry is that server's state, and the others run. See docs/mcp.md.",
      type: "json",
      spawns: true,
    },
    secrets: {
      label: "Secrets of servers",
      description: "Belong in secrets.yaml, by server and name: what replaces a placeholder in an entry of servers.",
      type: "secret",
    },
    oauth: {
      label: "Sign-ins to servers",
      description: "Tokens, by server; written when you sign in. Belong in secrets.yaml.",
      type: "secret",
    },
  },
  example: [
    "enabled: true",
    "servers:",
    "  - name: files",
    "    command: npx",
    '    args: ["-y", "@modelcontextprotocol/server-filesystem@2026.8.31", "/srv/shared"]',
  ].join("\n"),
} as const satisfies SettingsSection;
