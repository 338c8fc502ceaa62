export {
  type ConnectionDraft,
  type ConnectionType,
  credentialOf,
  EMPTY_CONNECTION,
  isSubscription,
  type Probe,
  probeOf,
  problemOfAddress,
  problemOfId,
  problemsOfTokens,
  suggestedId,
  type TokenProblems,
} from "./connection-draft.ts";
export { ConnectionFields } from "./connection-fields.tsx";
export { LocalServers } from "./local-servers.tsx";
export { ModelChoice } from "./model-choice.tsx";
export { type ListedModel, ModelList, matching } from "./model-list.tsx";
export { TrialOutcome, useModelTrial } from "./model-trial.tsx";
export { PriceForm } from "./price-form.tsx";
export { type ChosenProvider, ProviderTiles } from "./provider-tiles.tsx";
export { SubscriptionFields } from "./subscription-fields.tsx";
export { priceText, type TokenPrices } from "./token-prices.ts";
export { type EntryProblems, useConnectionTest } from "./use-connection-test.ts";
