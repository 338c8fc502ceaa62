import type { AnswerOf, OperatorDefinition } from "@agent-service/operator-api/client";
import { type QueryClient, useQuery } from "@tanstack/react-query";
import { createContext, type ReactElement, type ReactNode, useContext, useEffect, useSyncExternalStore } from "react";
import type { ConsoleApi } from "./console-api.ts";
import type { Connection } from "./event-stream.ts";
import { StaleQueries } from "./stale-queries.ts";

const Context = createContext<ConsoleApi | undefined>(undefined);

export function ApiProvider({
  api,
  children,
}: {
  readonly api: ConsoleApi;
  readonly children: ReactNode;
}): ReactElement {
  return <Context.Provider value={api}>{children}</Context.Provider>;
}

/** The API of the console. Throws outside of an `ApiProvider`. */
export function useApi(): ConsoleApi {
  const api = useContext(Context);
  if (api === undefined) throw new Error("useApi outside of ApiProvider");
  return api;
}

/** State of the event stream. */
export function useConnection(): Connection {
  const { events } = useApi();
  return useSyncExternalStore(events.subscribe, events.connection);
}

type RuntimeStatus = AnswerOf<Extract<OperatorDefinition, { readonly name: "runtime.status" }>>;

/** The service's model, features and warnings; undefined until first read. */
export function useRuntimeStatus(): RuntimeStatus | undefined {
  const { operator } = useApi();
  return useQuery({ queryKey: ["runtime"], queryFn: () => operator.get("/api/runtime/status") }).data;
}

/** Whether the configuration cannot be written from here, because it is managed elsewhere. */
export function useIsManaged(): boolean {
  const { operator } = useApi();
  const { data } = useQuery({
    queryKey: ["config", "setup-status"],
    queryFn: () => operator.get("/api/config/setup-status"),
  });
  return data?.managed === true;
}

/** Reads queries again whose data server events changed. */
export function useStaleQueries(client: QueryClient): void {
  const { events } = useApi();
  useEffect(() => {
    const stale = new StaleQueries(client, (run, ms) => {
      const timer = setTimeout(run, ms);
      return () => clearTimeout(timer);
    });
    const unsubscribe = events.listen((event) => stale.receive(event));
    return () => {
      unsubscribe();
      stale.stop();
    };
  }, [client, events]);
}
