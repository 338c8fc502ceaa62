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
export { TrialOutcome, useModelListing, useModelTrial } from "./model-trial.tsx";
export { SubscriptionFields } from "./subscription-fields.tsx";
