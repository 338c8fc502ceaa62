import type { PushNotificationConfig } from "./push-notification-config.ts";

/** The config as callers may read it: reads never return a token (W1), nor credentials. */
export function withoutSecrets({ id, taskId, url, authentication }: PushNotificationConfig): PushNotificationConfig {
  return { id, taskId, url, ...(authentication && { authentication: { scheme: authentication.scheme } }) };
}
