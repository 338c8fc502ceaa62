export { type ComposedService, type ComposeOptions, compose } from "./compose.ts";
export { openSecrets, type SecretsListener, type ServiceSecrets, serviceSecrets } from "./secrets/index.ts";
export {
  createLiveSettings,
  type LiveSettings,
  loadServerSettings,
  type ServerSettings,
  type SettingsOptions,
} from "./settings/index.ts";
