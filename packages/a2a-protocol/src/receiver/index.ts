export type { WebhookNotification, WebhookReceiver, WebhookReceiverOptions } from "./create-webhook-receiver.ts";
export { createWebhookReceiver } from "./create-webhook-receiver.ts";
