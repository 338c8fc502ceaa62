export { credentialHeaders, EVENT_ID_HEADER, NOTIFICATION_TOKEN_HEADER } from "./webhook-headers.ts";
export type { WebhookRequest } from "./webhook-requests.ts";
export { parseEventId, webhookRequests } from "./webhook-requests.ts";
