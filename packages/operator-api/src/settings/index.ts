export {
  applySettings,
  readSettingsSchema,
  resetSettings,
  type SettingsReader,
  type SettingsWriter,
  settingsReadRoutes,
  settingsWriteRoutes,
} from "./routes.ts";
