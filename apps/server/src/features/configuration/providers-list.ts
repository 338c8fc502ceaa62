import { type ResolvedConnection, servingConnection } from "@agent-service/agent-core/host";
import type { Provenance } from "@agent-service/config";
import type { Provider, ProvidersReader } from "@agent-service/operator-api";
import { sourceOf } from "../../settings/index.ts";

/** The sources of the connections, read at each request. */
export interface ProvidersSource {
  readonly registry: () => { readonly connections: readonly ResolvedConnection[]; readonly lead: string };
  readonly provenance: () => ReadonlyMap<string, Provenance>;
  readonly revision: () => string;
}

/** The keys of `model` that define the gateway when no `providers` block does (B51 `providers`, rule 3). */
const RETIRING = Object.freeze({ base_url: "model.api_base", api_key: "model.api_key", type: "model.provider" });
const FIELDS = ["type", "label", "base_url", "api_key", "models"] as const;

/** Lists the connections that are in use (O6). */
export function providersList({ registry, provenance, revision }: ProvidersSource): ProvidersReader {
  return {
    list() {
      const { connections, lead } = registry();
      const known = provenance();
      const leadId = servingConnection(connections, lead)?.connection.id;
      return {
        revision: revision(),
        providers: connections.map(({ id, type, label, baseUrl, apiKey, credential, models }) => ({
          ...{ id, type, label, models },
          base_url: baseUrl,
          key_set: apiKey !== "" || credential !== undefined,
          lead: id === leadId,
          sources: sourcesOf(known, id),
        })),
      };
    },
  };
}

function sourcesOf(known: ReadonlyMap<string, Provenance>, id: string): Provider["sources"] {
  const declared = known.has(`providers.${id}.id`) || known.has(`providers.${id}.type`);
  const found = FIELDS.flatMap((field) => {
    const key = declared ? `providers.${id}.${field}` : RETIRING[field as keyof typeof RETIRING];
    const from = key === undefined ? undefined : known.get(key);
    return from === undefined || from.layer === "default" ? [] : [[field, sourceOf(from)] as const];
  });
  return Object.fromEntries(found);
}
