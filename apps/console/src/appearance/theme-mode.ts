/** Light or dark; `system` follows the operating system. */
export type ThemeMode = "light" | "dark" | "system";

/** All of them, in the order they are offered. */
export const THEME_MODES: readonly ThemeMode[] = ["system", "light", "dark"];

/** Reads a stored mode; an unknown one is `system`. */
export function themeModeOf(kept: unknown): ThemeMode {
  return THEME_MODES.find((mode) => mode === kept) ?? "system";
}

/** The mode in the theme that the service stores for every browser; undefined where it has none. */
export function modeOfTheme(theme: { readonly [name: string]: unknown } | null | undefined): ThemeMode | undefined {
  return THEME_MODES.find((mode) => mode === theme?.mode);
}

/** Applies a mode to a page: the tokens depend on `data-theme`. */
export function showTheme(mode: ThemeMode, root: { readonly dataset: DOMStringMap }): void {
  if (mode === "system") delete root.dataset.theme;
  else root.dataset.theme = mode;
}
