/** Reads and saves the entries of `mcp.servers`, with their secrets in the overlay. */
import { MAX_SERVERS, type McpSectionValue, readMcpServers } from "@agent-service/agent-core/host";
import { Problem } from "@agent-service/operator-api";
import type { SettingsSaver } from "../../settings/index.ts";
import type { AuditNotes } from "./audit-notes.ts";
import type { RawServer, StoredServer, Values } from "./declared-server.ts";

export interface SavedServers {
  readonly section: McpSectionValue;
  names(): readonly string[];
  /** As the file has it; undefined: there is none. */
  entry(name: string): RawServer | undefined;
  secrets(name: string): Values;
  /** Adds servers or puts them in the place of those of the same name. `turnOn`: `mcp.enabled` too. */
  put(servers: readonly StoredServer[], turnOn: boolean): Promise<void>;
  remove(name: string): Promise<void>;
}

export function savedServers(
  settings: { readonly mcp: McpSectionValue },
  saver: SettingsSaver,
  audit: Pick<AuditNotes, "server">,
): SavedServers {
  const entries = (): readonly (readonly [name: string, raw: unknown])[] =>
    readMcpServers(settings.mcp).entries.map(({ name }, index) => [name, settings.mcp.servers[index]]);
  const names = (): readonly string[] => entries().map(([name]) => name);

  async function save(list: readonly unknown[], secrets: { readonly [server: string]: Values }, turnOn: boolean) {
    const filled = Object.fromEntries(Object.entries(secrets).filter(([, values]) => Object.keys(values).length > 0));
    await saver.save([
      ...(turnOn && !settings.mcp.enabled ? [{ section: "mcp", key: "enabled", value: true }] : []),
      { section: "mcp", key: "servers", value: list.length === 0 ? undefined : list },
      { section: "mcp", key: "secrets", value: Object.keys(filled).length === 0 ? undefined : filled },
    ]);
  }

  return {
    get section() {
      return settings.mcp;
    },
    names,
    entry(name) {
      const raw = entries().find(([one]) => one === name)?.[1];
      if (raw === undefined) return undefined;
      return typeof raw === "object" && raw !== null && !Array.isArray(raw) ? (raw as RawServer) : {};
    },
    secrets: (name) => (Object.hasOwn(settings.mcp.secrets, name) ? (settings.mcp.secrets[name] ?? {}) : {}),
    async put(servers, turnOn) {
      const known = names();
      const list: unknown[] = [...settings.mcp.servers];
      for (const { name, entry } of servers) {
        const at = known.indexOf(name);
        if (at === -1) list.push(entry);
        else list[at] = entry;
      }
      if (list.length > Math.max(MAX_SERVERS, settings.mcp.servers.length))
        throw new Problem(409, `There are at most ${MAX_SERVERS} servers; remove one first.`);
      const added = Object.fromEntries(servers.map(({ name, secrets }) => [name, secrets]));
      await save(list, { ...settings.mcp.secrets, ...added }, turnOn);
      for (const { name } of servers) await audit.server(name, known.includes(name) ? "changed" : "added");
    },
    async remove(name) {
      const at = names().indexOf(name);
      const { [name]: _, ...secrets } = settings.mcp.secrets;
      await save(
        settings.mcp.servers.filter((_one, index) => index !== at),
        secrets,
        false,
      );
      await audit.server(name, "removed");
    },
  };
}
