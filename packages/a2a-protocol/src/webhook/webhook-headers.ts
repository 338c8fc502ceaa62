import type { ProtocolVersion } from "../message/index.ts";
import type { PushAuthentication, PushNotificationConfig } from "../push/index.ts";

/** The header for the token (B21) of a config. */
export const NOTIFICATION_TOKEN_HEADER = "X-A2A-Notification-Token";
/** Names the event of a POST, `<task>/<seq>`; the same on every retry (W2). */
export const EVENT_ID_HEADER = "X-A2A-Event-Id";

/**
 * What a POST to a webhook proves itself with (B21, W1): both headers whichever shape
 * the token came in, and none without a token. 0.3: the top-level token wins in both. 1.0: `Authorization` carries the
 * credentials under the scheme registered, and a config that names only a token is a Bearer.
 */
export function credentialHeaders(
  { token, authentication }: PushNotificationConfig,
  version: ProtocolVersion,
): Readonly<Record<string, string>> {
  const first = token ?? authentication?.credentials;
  if (first === undefined) return {};
  const own = version === "1.0" || token === undefined ? authentication : undefined;
  return {
    Authorization: `${schemeOf(own)} ${own?.credentials ?? first}`,
    [NOTIFICATION_TOKEN_HEADER]: first,
  };
}

/** Receivers compare the usual scheme as it is usually written, whatever case it was registered in. */
function schemeOf(authentication: PushAuthentication | undefined): string {
  const { scheme = "Bearer" } = authentication ?? {};
  return scheme.toLowerCase() === "bearer" ? "Bearer" : scheme;
}
