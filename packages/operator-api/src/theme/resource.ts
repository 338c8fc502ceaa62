import { defineResource } from "../resource/index.ts";
import { clearTheme, readTheme, saveTheme, themeRoutes } from "./routes.ts";

/** The console's theme. */
export const theme = defineResource({
  name: "theme",
  feature: "theme",
  definitions: [readTheme, saveTheme, clearTheme],
  topics: [{ topic: "theme.changed", when: "The console's theme was set or cleared", data: "none" }],
  routes: themeRoutes,
});
