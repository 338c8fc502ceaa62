export type { FetchAnswer, FetchLike } from "./bounded-requests.ts";
export { type HydratedEnvironment, hydrate, type Variables } from "./hydrate.ts";
export {
  createSecretsManager,
  hydrates,
  type RefreshClock,
  type SecretsManager,
  type SecretsManagerOptions,
  type SecretsStatus,
} from "./secrets-manager.ts";
export {
  SECRETS_PROVIDERS,
  type SecretsManagerSectionValue,
  secretsManagerSection,
} from "./secrets-manager-section.ts";
export { SecretsError, type SecretsErrorKind } from "./secrets-provider.ts";
export type { SecretsTestOverrides, SecretsTestResult } from "./test-secrets.ts";
