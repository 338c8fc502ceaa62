export { settings } from "./resource.ts";
export type { SettingsReader, SettingsService, SettingsWriter } from "./routes.ts";
