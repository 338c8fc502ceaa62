export { themeFile } from "./theme-file.ts";
