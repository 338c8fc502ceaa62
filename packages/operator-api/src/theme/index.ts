export { type Theme, type ThemeService, themeDefinitions, themeRoutes } from "./routes.ts";
