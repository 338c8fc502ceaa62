export { oauthSubscriptionA } from "./oauth-subscription-a.ts";
export { oauthSubscriptionB } from "./oauth-subscription-b.ts";
export type { OutputVersion } from "./responses-body.ts";
export type { SubscriptionModel, SubscriptionOptions } from "./subscription.ts";
export { type SubscriptionTokens, TokenSource, type TokenSourceOptions } from "./token-source.ts";
