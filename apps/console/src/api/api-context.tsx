import type { AnswerOf, OperatorDefinition } from "@agent-service/operator-api/client";
import { type QueryClient, useQuery } from "@tanstack/react-query";
import { createContext, type ReactElement, type ReactNode, useContext, useEffect, useSyncExternalStore } from "react";
import type { ConsoleApi } from "./console-api.ts";
import type { Connection } from "./event-stream.ts";

const Context = createContext<ConsoleApi | undefined>(undefined);

/** Gives the api to everything inside. */
export function ApiProvider({
  api,
  children,
}: {
  readonly api: ConsoleApi;
  readonly children: ReactNode;
}): ReactElement {
  return <Context.Provider value={api}>{children}</Context.Provider>;
}

/** The console's way to its agent. */
export function useApi(): ConsoleApi {
  const api = useContext(Context);
  if (api === undefined) throw new Error("useApi outside of ApiProvider");
  return api;
}

/** Whether changes are being told at the moment. */
export function useConnection(): Connection {
  const { events } = useApi();
  return useSyncExternalStore(events.subscribe, events.connection);
}

type RuntimeStatus = AnswerOf<Extract<OperatorDefinition, { readonly name: "runtime.status" }>>;

/** What the service runs on and which features it has; undefined while it is read. */
export function useRuntimeStatus(): RuntimeStatus | undefined {
  const { operator } = useApi();
  return useQuery({ queryKey: ["runtime"], queryFn: () => operator.get("/api/runtime/status") }).data;
}

/**
 * Which queries a topic makes stale, by its first word. A query whose key begins with that word, or with its plural, is
 * read again without being named here: `["inbox", …]` at `inbox.*`, `["sessions", …]` at `session.*`.
 */
const ALSO: Readonly<Record<string, readonly string[]>> = {
  approval: ["tasks", "sessions", "runtime"],
  turn: ["tasks", "sessions", "approvals", "telemetry", "prompts", "delegations", "lanes"],
  config: ["runtime", "settings", "providers", "secrets", "tools", "subagents"],
  model: ["runtime", "settings", "providers", "lanes"],
  delegation: ["subagents", "tasks"],
  steer: ["steering"],
  webhook: ["runtime"],
};

function isRefusedKey(client: QueryClient): boolean {
  return (client.getQueryData<RuntimeStatus>(["runtime"])?.graph_auth_error ?? null) !== null;
}

/** Comes many times a turn and changes no list. */
const PROGRESS = "turn.progress";

/** Reads again what an event says has changed. */
export function useStaleQueries(client: QueryClient): void {
  const { events } = useApi();
  useEffect(
    () =>
      events.listen(({ topic, data }) => {
        if (topic === PROGRESS) return;
        // A failed turn may say that a key is refused, and the next good one that it is not.
        if (topic === "turn.finished" && (data.ok !== true || isRefusedKey(client))) {
          void client.invalidateQueries({ queryKey: ["runtime"] });
        }
        if (topic === "stream.gap") {
          void client.invalidateQueries();
          return;
        }
        const [subject = ""] = topic.split(".", 1);
        for (const key of new Set([subject, `${subject}s`, ...(ALSO[subject] ?? [])])) {
          void client.invalidateQueries({ queryKey: [key] });
        }
      }),
    [client, events],
  );
}
