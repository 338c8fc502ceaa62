export {
  type ConnectionDraft,
  EMPTY_CONNECTION,
  type Probe,
  probeOf,
  problemOfAddress,
  problemOfId,
  suggestedId,
} from "./connection-draft.ts";
export { ConnectionFields } from "./connection-fields.tsx";
export { LocalServers } from "./local-servers.tsx";
export { ModelChoice } from "./model-choice.tsx";
export { TrialOutcome, useModelListing, useModelTrial } from "./model-trial.tsx";
