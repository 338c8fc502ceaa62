export type { InlinePushConfig, PushAuthentication, PushNotificationConfig } from "./push-notification-config.ts";
export { MAX_PUSH_CONFIGS } from "./push-notification-config.ts";
export type {
  ListPushConfigsRequest,
  ListPushConfigsResponse,
  PushConfigRequest,
  SetPushConfigRequest,
} from "./push-requests.ts";
export { withoutSecrets } from "./without-secrets.ts";
