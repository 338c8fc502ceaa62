export { type ComposedService, type ComposeOptions, compose } from "./compose.ts";
export { loadServerSettings, type ServerSettings, type SettingsOptions } from "./sections/index.ts";
