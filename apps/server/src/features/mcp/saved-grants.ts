import { type McpSectionValue, readMcpServers } from "@agent-service/agent-core/host";
import type { SettingsSaver } from "../../settings/index.ts";
import { createOneAtATime } from "../../settings/index.ts";

/** Keeps grants of servers in the overlay, one after the other: two that are renewed at once must not lose each other. */
export function savedGrants(
  settings: { readonly mcp: McpSectionValue },
  saver: SettingsSaver,
): (server: string, text: string | undefined) => Promise<void> {
  const one = createOneAtATime();
  return (server, text) =>
    one(async () => {
      const { [server]: before, ...others } = settings.mcp.oauth;
      if (before === text) return;
      // The answer of a request that was under way as the server was removed: nobody would take it out again.
      if (text !== undefined && !readMcpServers(settings.mcp).entries.some(({ name }) => name === server)) return;
      const all = text === undefined ? others : { ...others, [server]: text };
      await saver.save([{ section: "mcp", key: "oauth", value: Object.keys(all).length === 0 ? undefined : all }]);
    });
}
