import { describeProvenance } from "@agent-service/config";
import type { ServerSettings } from "./settings.ts";

export type ExplainedSettings = Pick<ServerSettings, "models" | "provenance" | "paths">;

/**
 * Where a connection's address and key come from and how to change them, in one line for the operator; undefined for a
 * connection without an address. `fetched` names the variables that a secrets manager owns. The key itself is left out.
 */
export function explainConnection(
  { models, provenance, paths }: ExplainedSettings,
  id: string,
  fetched: readonly string[] = [],
): string | undefined {
  const connection = models.connections.find((one) => one.id === id);
  if (connection === undefined || connection.baseUrl === "") return undefined;
  const { retiring } = models;
  const sourceOf = (key: string): string => {
    const from = provenance.get(key) ?? { layer: "default" };
    if (from.layer === "default") return "the default";
    const manager = from.layer === "env" && fetched.includes(from.variable) ? ", from the secrets manager" : "";
    return describeProvenance(from) + manager;
  };
  const [address, key] = retiring
    ? ["model.api_base", "model.api_key"]
    : [`providers.${id}.base_url`, `providers.${id}.api_key`];
  const parts = [
    `Connection ${id}${retiring ? " (used because there is no providers block)" : ""}`,
    `address ${connection.baseUrl} (${sourceOf(address)})`,
    connection.apiKey === "" ? "no key" : `its key (${sourceOf(key)})`,
  ];
  const change = retiring
    ? "MODEL_API_BASE=<address> MODEL_API_KEY=<key> agent-service"
    : `edit ${paths.configFile} and ${paths.secretsFile}; they are read at once`;
  return `${parts.join(", ")}. To change them: ${change}`;
}
