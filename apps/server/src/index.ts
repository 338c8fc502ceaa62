export { type ComposedService, type ComposeOptions, compose } from "./compose.ts";
export {
  createLiveSettings,
  type LiveSettings,
  loadServerSettings,
  type ServerSettings,
  type SettingsOptions,
} from "./sections/index.ts";
