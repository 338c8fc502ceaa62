import { useQueries, useQuery } from "@tanstack/react-query";
import { useApi, useRuntimeStatus } from "../api/index.ts";
import type { KnownModel } from "./model-sections.ts";
import { modelsOfConnection } from "./models-of-connection.ts";

/** What is known of all models: read from the servers of all connections when the menu opens. */
export interface KnownModels {
  readonly models: readonly KnownModel[];
  /** The default model's key. */
  readonly lead: string | undefined;
  /** Of connections whose models could not be read. */
  readonly problems: readonly string[];
  readonly isPending: boolean;
}

/** Reads the models of all connections; those that are set by name stand beside what the servers list. */
export function useKnownModels(): KnownModels {
  const { operator } = useApi();
  const status = useRuntimeStatus()?.model;
  const { data, isPending } = useQuery({
    queryKey: ["providers", "list"],
    queryFn: () => operator.get("/api/providers"),
  });
  const connections = data?.providers ?? [];
  const lists = useQueries({
    queries: connections.map(({ id }) => modelsOfConnection(operator, id)),
  });
  const lead = status === undefined ? undefined : `${status.provider}:${status.name}`;
  const models = new Map<string, KnownModel>();
  connections.forEach(({ id, label, type, models: entered }, index) => {
    const connection = label || id;
    const add = (name: string, facts: Pick<KnownModel, "context_window" | "price">): void => {
      models.set(`${id}:${name}`, { ...facts, key: `${id}:${name}`, connection, name });
    };
    for (const name of Object.keys(entered)) add(name, UNKNOWN);
    for (const { name, ...facts } of lists[index]?.data?.details ?? []) add(name, facts);
    if (type !== "scripted") return;
    const demo = models.get(`${id}:demo`);
    if (demo !== undefined) models.set(demo.key, { ...demo, connection: "Demo" });
  });
  // A favourite, or a default, that no server lists is still one.
  for (const key of [...(lead === undefined ? [] : [lead]), ...(status?.favorites ?? [])]) {
    const id = connections.find((one) => key.startsWith(`${one.id}:`))?.id;
    if (id !== undefined && !models.has(key))
      models.set(key, { ...UNKNOWN, key, connection: id, name: key.slice(id.length + 1) });
  }
  return {
    models: [...models.values()],
    lead,
    problems: connections.flatMap(({ id, type, label }, index) => {
      const problem = type === "compat-gateway" ? lists[index]?.data?.problem : undefined;
      return problem == null ? [] : [`${label || id}: ${problem.text}`];
    }),
    isPending: isPending || lists.some((list) => list.isPending),
  };
}

const UNKNOWN = { context_window: null, price: null } as const;
