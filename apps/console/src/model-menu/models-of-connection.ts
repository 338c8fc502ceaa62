import { queryOptions } from "@tanstack/react-query";
import type { useApi } from "../api/index.ts";

const FIVE_MINUTES = 300_000;

/** The query of the models that a connection's server lists. */
export function modelsOfConnection(operator: ReturnType<typeof useApi>["operator"], id: string) {
  return queryOptions({
    queryKey: ["providers", "models", id],
    queryFn: () => operator.post("/api/config/models", { body: { provider: id } }),
    staleTime: FIVE_MINUTES,
  });
}
