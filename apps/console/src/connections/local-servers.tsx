import { useQuery } from "@tanstack/react-query";
import type { ReactElement } from "react";
import { useApi } from "../api/index.ts";
import { Button } from "../ui/index.ts";

/** Model servers on the service's own machine, to be chosen with one press. Renders nothing where there are none. */
export function LocalServers({
  onChoose,
}: {
  readonly onChoose: (server: { readonly baseUrl: string; readonly model: string }) => void;
}): ReactElement | null {
  const { operator } = useApi();
  const { data } = useQuery({
    queryKey: ["local-models"],
    queryFn: () => operator.get("/api/config/models/local"),
  });
  if (data === undefined || data.servers.length === 0) return null;
  return (
    <div className="flex flex-wrap items-center gap-2">
      <span className="text-sm text-ink-soft">On this machine:</span>
      {data.servers.map(({ server, base_url: baseUrl, models }) => (
        <Button key={baseUrl} small onClick={() => onChoose({ baseUrl, model: models[0] ?? "" })}>
          {server} ({models.length === 1 ? "1 model" : `${models.length} models`})
        </Button>
      ))}
    </div>
  );
}
