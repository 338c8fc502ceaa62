export { applySettings, readSettingsSchema, resetSettings, type SettingsService, settingsRoutes } from "./routes.ts";
