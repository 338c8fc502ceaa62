/** The bearers of subscriptions: one per connection, over reloads and restarts (R9). */
import {
  type Clock,
  type ResolvedConnection,
  type SubscriptionCredential,
  type SubscriptionTokens,
  TokenSource,
} from "@agent-service/agent-core/host";
import { saveConfig } from "@agent-service/config";
import { type LiveSettings, SECTIONS } from "../settings/index.ts";

export interface Subscriptions {
  /**
   * The bearer of a connection; undefined where none was entered. It stays the same over a reload caused by its own save,
   * so that a refresh token for one use is used once.
   */
  tokensOf(connection: ResolvedConnection): TokenSource | undefined;
}

export interface SubscriptionsOptions {
  readonly clock: Clock;
  /** Stores a renewed credential. */
  readonly save: (connectionId: string, credential: SubscriptionCredential) => Promise<void>;
  readonly warn: (message: string) => void;
}

interface Known {
  readonly source: TokenSource;
  /** Access and refresh tokens: as entered, and as last saved by the bearer. */
  readonly lineage: Set<string>;
  readonly endpoint: string;
}

export function createSubscriptions({ clock, save, warn }: SubscriptionsOptions): Subscriptions {
  const known = new Map<string, Known>();

  function open(id: string, credential: SubscriptionCredential): Known {
    const lineage = new Set([lineOf(tokensOf(credential))]);
    const source = new TokenSource({
      name: id,
      tokens: tokensOf(credential),
      tokenEndpoint: credential.token_endpoint,
      clientId: credential.client_id,
      clock,
      warn,
      async save(tokens) {
        lineage.add(lineOf(tokens));
        await save(id, credentialOf(credential, tokens));
      },
    });
    return { source, lineage, endpoint: endpointOf(credential) };
  }

  return {
    tokensOf({ id, credential }) {
      if (credential === undefined) return undefined;
      const before = known.get(id);
      // Tokens that it never had were entered by a person, who signed in again.
      if (before?.endpoint === endpointOf(credential) && before.lineage.has(lineOf(tokensOf(credential))))
        return before.source;
      const fresh = open(id, credential);
      known.set(id, fresh);
      return fresh.source;
    },
  };
}

/** Writes a credential into the secrets overlay, in the form in which a person enters it, and registers it with the redactor. */
export async function saveCredential(
  live: LiveSettings,
  id: string,
  credential: SubscriptionCredential,
): Promise<void> {
  const edit = { section: "providers", entry: id, key: "api_key", value: credential };
  // Nothing else changes, so no check is needed.
  await saveConfig({ ...live.settings.paths, sections: SECTIONS, edits: [edit], check: () => {} });
  live.reload();
}

function tokensOf({ access_token, refresh_token, expires_at }: SubscriptionCredential): SubscriptionTokens {
  const expiresAt = typeof expires_at === "number" ? expires_at * 1_000 : Date.parse(expires_at ?? "");
  return {
    accessToken: access_token,
    refreshToken: refresh_token,
    ...(Number.isFinite(expiresAt) ? { expiresAt } : {}),
  };
}

function credentialOf(before: SubscriptionCredential, tokens: SubscriptionTokens): SubscriptionCredential {
  const { expires_at: _expired, ...rest } = before;
  return {
    ...rest,
    access_token: tokens.accessToken,
    refresh_token: tokens.refreshToken,
    ...(tokens.expiresAt === undefined ? {} : { expires_at: new Date(tokens.expiresAt).toISOString() }),
  };
}

const lineOf = ({ accessToken, refreshToken }: SubscriptionTokens): string => `${accessToken}\n${refreshToken}`;

const endpointOf = ({ token_endpoint, client_id }: SubscriptionCredential): string => `${token_endpoint}\n${client_id}`;
