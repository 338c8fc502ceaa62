import { useQueryClient } from "@tanstack/react-query";
import { useMemo, useSyncExternalStore } from "react";
import { useApi } from "../api/index.ts";
import { THEME_MODES, useThemeMode } from "../appearance/index.ts";
import { useCommands } from "../commands/index.ts";

/** Adds the commands of the console itself, on every screen. */
export function useConsoleCommands(): void {
  const { baseUrls, token } = useApi();
  const queries = useQueryClient();
  const { mode, choose } = useThemeMode();
  const known = useSyncExternalStore(token.subscribe, token.read) !== undefined;
  useCommands(
    useMemo(
      () => [
        ...THEME_MODES.filter((one) => one !== mode).map((one) => ({
          id: `theme-${one}`,
          label: `Theme: ${one}`,
          keywords: "appearance mode",
          group: "Console",
          run: () => choose(one),
        })),
        {
          id: "api-reference",
          label: "Open the API reference",
          keywords: "documentation openapi",
          group: "Help",
          run: () => void window.open(`${baseUrls.console}/docs`, "_blank", "noreferrer"),
        },
        ...(known
          ? [
              {
                id: "forget-token",
                label: "Forget the access token",
                keywords: "sign out log out",
                group: "Console",
                run: () => {
                  token.write(undefined);
                  void queries.resetQueries();
                },
              },
            ]
          : []),
      ],
      [mode, choose, known, baseUrls, token, queries],
    ),
  );
}
