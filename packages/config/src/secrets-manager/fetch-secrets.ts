import { boundedRequests, type FetchLike, type RequestBounds } from "./bounded-requests.ts";
import { infisical } from "./infisical.ts";
import type { SecretsManagerSectionValue } from "./secrets-manager-section.ts";
import { SecretsError, type SecretsProvider, type SecretsSource } from "./secrets-provider.ts";

const PROVIDERS: { readonly [name in SecretsSource["provider"]]: SecretsProvider } = { infisical };

/** Fetches what the settings name, within bounds. Rejects with `SecretsError`, also for whatever a provider throws. */
export async function fetchSecrets(
  settings: SecretsManagerSectionValue,
  fetch: FetchLike,
  bounds: RequestBounds,
): Promise<ReadonlyMap<string, string>> {
  try {
    const source = sourceOf(settings);
    checkComplete(source);
    return await PROVIDERS[source.provider](source, boundedRequests(source.host, fetch, bounds));
  } catch (error) {
    throw error instanceof SecretsError ? error : new SecretsError("internal", "the manager could not be read");
  }
}

function sourceOf(settings: SecretsManagerSectionValue): SecretsSource {
  const { provider, host, environment, path, recursive } = settings;
  const { project_id: projectId, client_id: clientId, client_secret: clientSecret } = settings;
  return { provider, host, projectId, environment, path, recursive, clientId, clientSecret };
}

function checkComplete(source: SecretsSource): void {
  const missing = [
    ...(source.projectId === "" ? ["project_id"] : []),
    ...(source.environment === "" ? ["environment"] : []),
    ...(source.clientId === "" ? ["client_id (or SECRETS_MANAGER_CLIENT_ID)"] : []),
    ...(source.clientSecret === "" ? ["client_secret (or SECRETS_MANAGER_CLIENT_SECRET)"] : []),
  ];
  if (missing.length > 0)
    throw new SecretsError("not_configured", `secrets_manager is not complete: ${missing.join(", ")}`);
}
