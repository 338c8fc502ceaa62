export { agentMayChange, unsafeForAgent } from "./agent-changes/index.ts";
export { type InstallResult, installExample, renderExample } from "./example/index.ts";
export { type AtomicWrite, writeFileAtomic } from "./file-write/index.ts";
export type { ConfigTexts, FlagValue } from "./layer/index.ts";
export { type LoadConfigOptions, type LoadedConfig, loadConfig, type RefusedConfig } from "./load-config.ts";
export {
  expandHome,
  isWritableFolder,
  makeFolder,
  type PathOptions,
  resolvePaths,
  resolveStore,
  type ServicePaths,
  type StoreOptions,
} from "./paths/index.ts";
export type { ConfigProblem, ConfigProblemCode } from "./problem/index.ts";
export { describeProvenance, type Provenance } from "./provenance/index.ts";
export { type WatchOptions, type WatchTimers, watchConfig } from "./reload/index.ts";
export {
  ConfigSaveError,
  revisionOf,
  type SaveErrorCode,
  type SaveOptions,
  type SaveResult,
  type SettingEdit,
  saveConfig,
} from "./save/index.ts";
export { type OverlayContent, writeOverlay } from "./secret/index.ts";
export {
  createSecretsManager,
  type FetchAnswer,
  type FetchLike,
  hydrates,
  type RefreshClock,
  SECRETS_PROVIDERS,
  SecretsError,
  type SecretsErrorKind,
  type SecretsManager,
  type SecretsManagerOptions,
  type SecretsManagerSectionValue,
  type SecretsStatus,
  type SecretsTestOverrides,
  type SecretsTestResult,
  secretsManagerSection,
  type Variables,
} from "./secrets-manager/index.ts";
export {
  type ConfigValues,
  isSecret,
  isSecurity,
  keysOf,
  objectListItem,
  type Section,
  type SettingMetadata,
  verifySection,
} from "./section/index.ts";
export { readMapping } from "./yaml-file/index.ts";
