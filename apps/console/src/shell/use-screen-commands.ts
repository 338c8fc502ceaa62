import { useNavigate } from "@tanstack/react-router";
import { useMemo } from "react";
import { useCommands } from "../commands/index.ts";
import { pagesFor, type Screen } from "./screen.ts";

/** Adds a palette command for every screen and for each of its pages. */
export function useScreenCommands(
  screens: readonly Screen[],
  features: { readonly [name: string]: { readonly available: boolean; readonly enabled: boolean } } | undefined,
): void {
  const navigate = useNavigate();
  useCommands(
    useMemo(
      () =>
        screens.flatMap((screen) => [
          {
            id: `go-${screen.id}`,
            label: `Go to ${screen.label.toLowerCase()}`,
            keys: `g ${screen.key}`,
            group: "Screens",
            run: () => void navigate({ to: `/${screen.id}` }),
          },
          ...pagesFor(screen, features).map(({ path, label, keys, keywords }) => ({
            id: `go-${path}`,
            label: `${screen.label}: ${label.toLowerCase()}`,
            group: "Screens",
            ...(keys !== undefined && { keys }),
            ...(keywords !== undefined && { keywords }),
            run: () => void navigate({ to: path }),
          })),
        ]),
      [screens, features, navigate],
    ),
  );
}
