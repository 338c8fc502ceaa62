import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useSyncExternalStore } from "react";
import { useApi } from "../api/index.ts";
import { modeOfTheme, showTheme, type ThemeMode, themeModeOf } from "./theme-mode.ts";

const QUERY = ["theme"];

/** Applies the mode that was chosen, here or in another browser. Used once, around every screen. */
export function useAppearance(): void {
  const { operator, theme } = useApi();
  const kept = useSyncExternalStore(theme.subscribe, theme.read);
  const { data } = useQuery({ queryKey: QUERY, queryFn: () => operator.get("/api/theme") });
  const shared = modeOfTheme(data?.theme);
  useEffect(() => {
    if (shared !== undefined && shared !== themeModeOf(theme.read())) theme.write(shared);
  }, [shared, theme]);
  useEffect(() => showTheme(themeModeOf(kept), document.documentElement), [kept]);
}

/** The current mode and its setter, which applies at once here, and in other browsers once the service has stored it. */
export function useThemeMode(): {
  readonly mode: ThemeMode;
  readonly choose: (mode: ThemeMode) => void;
  readonly error: Error | null;
} {
  const { operator, theme } = useApi();
  const queries = useQueryClient();
  const mode = themeModeOf(useSyncExternalStore(theme.subscribe, theme.read));
  const save = useMutation({
    mutationFn: async (next: ThemeMode) => {
      // Members of the theme that this version does not know are kept.
      const before = await operator.get("/api/theme");
      await operator.put("/api/theme", { body: { theme: { ...before.theme, mode: next } } });
    },
    onSettled: () => queries.invalidateQueries({ queryKey: QUERY }),
  });
  const { mutate } = save;
  const choose = useCallback(
    (next: ThemeMode) => {
      theme.write(next);
      mutate(next);
    },
    [theme, mutate],
  );
  return {
    mode,
    choose,
    error: save.error,
  };
}
