import type { Find } from "../../shell/index.ts";
import { LOOKS } from "./server/server-state.ts";

/** Servers by their names. */
export const findServers: Find = async (search, { api, limit, signal }) => {
  if (search === "") return [];
  const { servers } = await api.operator.get("/api/mcp/servers", { signal });
  return servers
    .filter(({ name }) => name.includes(search.toLowerCase()))
    .slice(0, limit)
    .map(({ name, state }) => ({
      id: `mcp-${name}`,
      label: name,
      detail: LOOKS[state].label,
      to: `/extensions/mcp/${encodeURIComponent(name)}`,
    }));
};
