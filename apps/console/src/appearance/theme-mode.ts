/** How bright the console is; `system` follows the machine. */
export type ThemeMode = "light" | "dark" | "system";

/** All of them, in the order they are offered. */
export const THEME_MODES: readonly ThemeMode[] = ["system", "light", "dark"];

/** Reads a mode from whatever was kept; what is none of them follows the machine. */
export function themeModeOf(kept: unknown): ThemeMode {
  return THEME_MODES.find((mode) => mode === kept) ?? "system";
}

/** The mode in the theme that the service keeps for every browser; undefined where it says none. */
export function modeOfTheme(theme: { readonly [name: string]: unknown } | null | undefined): ThemeMode | undefined {
  return THEME_MODES.find((mode) => mode === theme?.mode);
}

/** Shows a mode on a page: the tokens read `data-theme`. */
export function showTheme(mode: ThemeMode, root: { readonly dataset: DOMStringMap }): void {
  if (mode === "system") delete root.dataset.theme;
  else root.dataset.theme = mode;
}
