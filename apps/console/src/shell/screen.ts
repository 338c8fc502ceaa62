import type { AnyRoute } from "@tanstack/react-router";
import type { LucideIcon } from "lucide-react";

/** A place of the rail, brought by a feature: later parts slot in as one folder each. */
export interface Screen {
  /** Names it: also the first segment of its paths. */
  readonly id: string;
  readonly label: string;
  readonly icon: LucideIcon;
  /** The feature of the runtime status without which the screen does not exist, or several: one is enough. Undefined: it always does. */
  readonly feature?: string | readonly string[];
  /** Where it stands: with the work, or below it with the settings. */
  readonly group: "work" | "service";
  /** Second key after `g`: `g c` goes to the chat. */
  readonly key: string;
  /** Its routes, each with a component that is loaded when it is first shown. */
  readonly routes: (parent: AnyRoute) => readonly AnyRoute[];
}

/** The screens of what the service has (issue 6, 10): those of features it does not have do not exist. */
export function screensFor(
  screens: readonly Screen[],
  features: { readonly [name: string]: { readonly available: boolean } } | undefined,
): readonly Screen[] {
  return screens.filter(
    ({ feature }) => feature === undefined || [feature].flat().some((name) => features?.[name]?.available === true),
  );
}
