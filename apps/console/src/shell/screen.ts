import type { AnyRoute } from "@tanstack/react-router";
import type { LucideIcon } from "lucide-react";
import type { ConsoleApi } from "../api/index.ts";

/** A place inside of a screen, at an address of its own. */
export interface Place {
  /** From the console's root: `/work/board`. */
  readonly path: string;
  readonly label: string;
  /** The feature without which it does not exist. Default: the screen's own. */
  readonly feature?: string;
  /** What people may call it besides its label. */
  readonly words?: string;
  /** Keys that go there, as in a command. */
  readonly keys?: string;
}

/** A place of the rail, brought by a feature: later parts slot in as one folder each. */
export interface Screen {
  /** Names it: also the first segment of its paths. */
  readonly id: string;
  readonly label: string;
  readonly icon: LucideIcon;
  /** The feature of the runtime status without which the screen does not exist, or several: one is enough. Undefined: it always does. */
  readonly feature?: string | readonly string[];
  /** Where it stands in the rail: with the work, below it with the settings, or nowhere. */
  readonly group: "work" | "service" | "elsewhere";
  /** Second key after `g`: `g c` goes to the chat. */
  readonly key: string;
  /** Whether it is what a person should see first, before the first screen of the rail. */
  readonly first?: (api: ConsoleApi) => Promise<boolean>;
  /** Places inside of it that the palette goes to directly. */
  readonly places?: readonly Place[];
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

/** The places of a screen of what the service has. */
export function placesFor(
  { places = [] }: Pick<Screen, "places">,
  features: { readonly [name: string]: { readonly available: boolean } } | undefined,
): readonly Place[] {
  return places.filter(({ feature }) => feature === undefined || features?.[feature]?.available === true);
}

/** How many places the bar at the bottom of a phone has. */
const BAR = 5;

/** The screens that it has no place for, besides the one that leads to them; none where all fit. */
export function beyondBar(screens: readonly Screen[]): readonly Screen[] {
  return screens.length <= BAR ? [] : screens.slice(BAR - 1);
}

/** The screen to begin with: one that asks to be first, else the first of the rail. */
export async function firstScreen(screens: readonly Screen[], api: ConsoleApi): Promise<Screen | undefined> {
  for (const screen of screens) {
    if (screen.first !== undefined && (await screen.first(api))) return screen;
  }
  return screens.find(({ group }) => group !== "elsewhere");
}
