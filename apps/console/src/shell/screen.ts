import type { QueryClient } from "@tanstack/react-query";
import type { AnyRoute } from "@tanstack/react-router";
import type { LucideIcon } from "lucide-react";
import type { ConsoleApi } from "../api/index.ts";

/** A page of a screen that has its own address, listed in the palette. */
export interface ScreenPage {
  /** From the console's root: `/work/board`. */
  readonly path: string;
  readonly label: string;
  /** The feature it needs. Default: that of the screen. */
  readonly feature?: string;
  /** It is offered only while its feature is switched on. */
  readonly whenEnabled?: boolean;
  /** Further search terms for the palette. */
  readonly keywords?: string;
  /** Key sequence that opens it, as in a command. */
  readonly keys?: string;
}

/** Something of a screen that the palette opens: a chat, a run, a setting. */
export interface Finding {
  /** Unique among all screens, and free of what people wrote: it is kept in the browser once it was opened. */
  readonly id: string;
  readonly label: string;
  /** A few words beside it. */
  readonly detail?: string;
  /** From the console's root, with its search: `/settings/all?q=model`. */
  readonly to: string;
}

/** Finds what a search names, at most `limit` of them; without a search, the newest. The signal ends it. */
export type Find = (
  search: string,
  at: {
    readonly api: ConsoleApi;
    readonly queries: QueryClient;
    readonly limit: number;
    readonly signal: AbortSignal;
  },
) => Promise<readonly Finding[]>;

/** A screen of the rail. A feature's folder defines it; `screens.ts` lists it. */
export interface Screen {
  /** Unique; also the first segment of its paths. */
  readonly id: string;
  /** Position in the rail, ascending. Multiples of ten leave room for screens in between. */
  readonly order: number;
  readonly label: string;
  readonly icon: LucideIcon;
  /** The feature of the runtime status it needs; of several, one is enough. Without one, the screen always exists. */
  readonly feature?: string | readonly string[];
  /** It exists only while its feature is switched on. */
  readonly whenEnabled?: boolean;
  /** How many of its things wait for a person: shown at its place in the rail. Read again where a query of `key` is stale. */
  readonly waiting?: { readonly key: readonly string[]; readonly read: (api: ConsoleApi) => Promise<number> };
  /** Part of the rail: with the work, below it with the settings, or not in the rail. */
  readonly group: "work" | "service" | "elsewhere";
  /** Second key after `g`: `g c` opens the chat. */
  readonly key: string;
  /** Whether the console starts with it instead of the first screen of the rail. */
  readonly first?: (api: ConsoleApi) => Promise<boolean>;
  /** The page the console starts with on a phone, where a list alone fills the screen. Default: the screen's own. */
  readonly startOnPhone?: string;
  /** Its pages that the palette opens directly. */
  readonly pages?: readonly ScreenPage[];
  /** Things of it that the palette finds, under a heading; loaded with the palette. */
  readonly finds?: { readonly label: string; readonly load: () => Promise<Find> };
  /** Its routes, each with a component that is loaded when first shown. */
  readonly routes: (parent: AnyRoute) => readonly AnyRoute[];
}

/** Sorts screens into the order of the rail. */
export function inRailOrder(screens: readonly Screen[]): readonly Screen[] {
  return screens.toSorted((a, b) => a.order - b.order);
}

/** Returns the screens whose features the service has. */
export function screensFor(
  screens: readonly Screen[],
  features: { readonly [name: string]: { readonly available: boolean; readonly enabled?: boolean } } | undefined,
): readonly Screen[] {
  const has = (name: string, whenEnabled: boolean): boolean =>
    features?.[name]?.available === true && (!whenEnabled || features[name].enabled === true);
  return screens.filter(
    ({ feature, whenEnabled = false }) =>
      feature === undefined || [feature].flat().some((name) => has(name, whenEnabled)),
  );
}

/** Returns the pages of a screen whose features the service has. */
export function pagesFor(
  { pages = [] }: Pick<Screen, "pages">,
  features: { readonly [name: string]: { readonly available: boolean; readonly enabled: boolean } } | undefined,
): readonly ScreenPage[] {
  return pages.filter(({ feature, whenEnabled = false }) => {
    if (feature === undefined) return true;
    const { available = false, enabled = false } = features?.[feature] ?? {};
    return available && (enabled || !whenEnabled);
  });
}

/** Number of entries in the bottom bar of a phone. */
const BAR_ENTRIES = 5;

/** Returns the screens that do not fit into the bottom bar, whose last entry then opens them. */
export function beyondBar(screens: readonly Screen[]): readonly Screen[] {
  return screens.length <= BAR_ENTRIES ? [] : screens.slice(BAR_ENTRIES - 1);
}

/** Returns the screen the console starts with: one that asks to be first, else the first of the rail. */
export async function firstScreen(screens: readonly Screen[], api: ConsoleApi): Promise<Screen | undefined> {
  for (const screen of screens) {
    if (screen.first !== undefined && (await screen.first(api))) return screen;
  }
  return screens.find(({ group }) => group !== "elsewhere");
}
