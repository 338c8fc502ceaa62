export type { DeliveryOutcome } from "./delivery.ts";
export { webhooks } from "./feature.ts";
export type { PushConfig, RenderWebhook, WebhookPost, WebhookUpdate } from "./push-config.ts";
export type { WebhookErrorCode } from "./webhook-error.ts";
export { WebhookError } from "./webhook-error.ts";
export { MAX_CONFIGS } from "./webhook-store.ts";
export type { WebhookOptions, WebhookParts } from "./webhooks.ts";
export { Webhooks } from "./webhooks.ts";
