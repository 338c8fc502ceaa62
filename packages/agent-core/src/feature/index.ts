export type { ContributedTools, Contributions, ToolGroup } from "./contributions.ts";
export { defineTools } from "./define-tools.ts";
export type { Engine, OwnStoreOptions, TextRewriting } from "./engine.ts";
export {
  type AnyFeature,
  type Complete,
  defineFeature,
  type Feature,
  type FeatureHooks,
  type FeatureKey,
  featureKey,
  type Needed,
  type SettingsOf,
  type TurnDelegation,
  type ValueOf,
  type ValuesOf,
} from "./feature.ts";
export { FeatureError, type FeatureErrorCode, type FeaturePhase } from "./feature-error.ts";
export { FeatureSet } from "./feature-set.ts";
export { defaultSettings, type SettingsSource } from "./settings-source.ts";
