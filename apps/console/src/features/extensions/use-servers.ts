import {
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { useApi } from "../../api/index.ts";
import type { McpServer, McpServerDetail } from "./server/mcp-types.ts";

/** What is known of all servers. */
export interface ServerList {
  /** Off: none runs, and the agent has none of their tools. */
  readonly enabled: boolean;
  readonly servers: readonly McpServer[];
}

/** The servers, read again at `mcp.server_changed`. */
export function useServers(): UseQueryResult<ServerList> {
  const { operator } = useApi();
  return useQuery({ queryKey: ["mcp", "servers"], queryFn: () => operator.get("/api/mcp/servers") });
}

export function useServer(name: string): UseQueryResult<McpServerDetail> {
  const { operator } = useApi();
  return useQuery({
    queryKey: ["mcp", "server", name],
    queryFn: () => operator.get("/api/mcp/servers/{name}", { params: { name } }),
  });
}

/** Runs a change, and reads the servers again: its event may come later than its answer. */
export function useServerChange<TGiven, TDone>(
  change: (given: TGiven) => Promise<TDone>,
): UseMutationResult<TDone, Error, TGiven> {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSettled: () => queries.invalidateQueries({ queryKey: ["mcp"] }),
  });
}

/** What a save sends of a server; null takes a setting out. */
export type ServerEdit = Parameters<ReturnType<typeof useEdit>["mutate"]>[0];

function useEdit(name: string) {
  const { operator } = useApi();
  type Body = Parameters<typeof operator.patch<"/api/mcp/servers/{name}">>[1]["body"];
  return useServerChange((body: Body) => operator.patch("/api/mcp/servers/{name}", { params: { name }, body }));
}

export function useEditServer(name: string): UseMutationResult<McpServerDetail, Error, ServerEdit> {
  return useEdit(name);
}

export function useRestartServer(name: string): UseMutationResult<unknown, Error, void> {
  const { operator } = useApi();
  return useServerChange(() => operator.post("/api/mcp/servers/{name}/restart", { params: { name } }));
}

export function useRemoveServer(name: string): UseMutationResult<unknown, Error, void> {
  const { operator } = useApi();
  return useServerChange(() => operator.delete("/api/mcp/servers/{name}", { params: { name } }));
}
