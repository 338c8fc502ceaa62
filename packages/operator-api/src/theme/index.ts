export { theme } from "./resource.ts";
export type { Theme, ThemeService } from "./routes.ts";
