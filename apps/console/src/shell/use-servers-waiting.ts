import { useQuery } from "@tanstack/react-query";
import { useApi } from "../api/index.ts";
import { type ServersWaiting, serversWaiting } from "./servers-waiting.ts";

/** What waits for a person at MCP servers, read again at `mcp.*`; asked for only while MCP is on. */
export function useServersWaiting(isOn: boolean): ServersWaiting | undefined {
  const { operator } = useApi();
  const { data } = useQuery({
    queryKey: ["mcp", "servers"],
    queryFn: () => operator.get("/api/mcp/servers"),
    enabled: isOn,
  });
  return isOn ? serversWaiting(data?.servers ?? []) : undefined;
}
