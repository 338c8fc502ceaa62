import { defineResource } from "../resource/index.ts";
import { applySettings, readSettingsSchema, resetSettings, settingsRoutes } from "./routes.ts";

/** The settings as forms. */
export const settings = defineResource({
  name: "settings",
  feature: "settings",
  definitions: [readSettingsSchema, applySettings, resetSettings],
  routes: settingsRoutes,
});
