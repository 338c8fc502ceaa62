export { useTabsShown } from "./tabs-shown.ts";
export { modeOfTheme, showTheme, THEME_MODES, type ThemeMode, themeModeOf } from "./theme-mode.ts";
export { useAppearance, useThemeMode } from "./use-appearance.ts";
