export type { A2aSectionValue } from "./a2a-section.ts";
export { namesModel } from "./choose-lead.ts";
export type { DeclaredProjects } from "./declared-projects.ts";
export { derive } from "./derive.ts";
export { type Environment, readEnvironment, type UiTier } from "./environment.ts";
export {
  ENVIRONMENT_VARIABLES,
  type EnvironmentVariable,
} from "./environment-table.ts";
export { type ExplainedSettings, explainConnection } from "./explain-connection.ts";
export { explainSettings } from "./explain-settings.ts";
export { followChanges } from "./follow-changes.ts";
export type { IdentitySectionValue } from "./identity-section.ts";
export {
  createLiveSettings,
  type LiveSettings,
  type RejectedReload,
  type ReloadOutcome,
  type SettingsListener,
} from "./live-settings.ts";
export { createOneAtATime } from "./one-at-a-time.ts";
export { publishSettings } from "./publish-settings.ts";
export { problemOf } from "./save-problem.ts";
export { createSettingsSaver, keyOfEdit, type Saved, type SettingsSaver } from "./save-settings.ts";
export { SECTIONS } from "./sections.ts";
export {
  explainedValue,
  isHidden,
  isSet,
  type LoadedValues,
  ownerOf,
  type SettingView,
  settingViews,
  sourceOf,
  type Tree,
  toldValue,
  valueAt,
  withoutSecretTexts,
} from "./setting-views.ts";
export {
  type LeadSettings,
  loadDeclared,
  loadServerSettings,
  type ServerSettings,
  type SettingsFlags,
  type SettingsOptions,
} from "./settings.ts";
export { completeSetup, readSetupState, reopenSetup, type SetupState } from "./setup-state.ts";
export { RESERVED_VARIABLES } from "./unbuilt-features.ts";
