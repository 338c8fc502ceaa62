import { useNavigate } from "@tanstack/react-router";
import { useMemo } from "react";
import { useCommands } from "../commands/index.ts";
import { placesFor, type Screen } from "./screen.ts";

/** Brings the ways to every screen, and to every place in it that has an address of its own. */
export function useScreenCommands(
  screens: readonly Screen[],
  features: { readonly [name: string]: { readonly available: boolean } } | undefined,
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
          ...placesFor(screen, features).map(({ path, label, keys, words }) => ({
            id: `go-${path}`,
            label: `${screen.label}: ${label.toLowerCase()}`,
            group: "Screens",
            ...(keys !== undefined && { keys }),
            ...(words !== undefined && { words }),
            run: () => void navigate({ to: path }),
          })),
        ]),
      [screens, features, navigate],
    ),
  );
}
