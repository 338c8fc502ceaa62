/** A conversation that is kept at hand. */
export interface Tab {
  readonly session: string;
  readonly title: string;
}

/** More are not kept at hand: those opened longest ago go. */
export const MOST_TABS = 8;

/** Reads what the browser kept; what is no tab is passed over. */
export function readTabs(kept: string | undefined): readonly Tab[] {
  try {
    const value: unknown = JSON.parse(kept ?? "[]");
    if (!Array.isArray(value)) return [];
    return value.filter(isTab).slice(-MOST_TABS);
  } catch {
    return [];
  }
}

function isTab(value: unknown): value is Tab {
  if (typeof value !== "object" || value === null) return false;
  return "session" in value && typeof value.session === "string" && "title" in value && typeof value.title === "string";
}

/** The tabs with one more, or with its title as it is now; the order stays. */
export function withTab(tabs: readonly Tab[], tab: Tab): readonly Tab[] {
  const place = tabs.findIndex(({ session }) => session === tab.session);
  if (place === -1) return [...tabs, tab].slice(-MOST_TABS);
  return tabs[place]?.title === tab.title ? tabs : tabs.with(place, tab);
}

/** The tabs without one, and which lies beside it. */
export function withoutTab(
  tabs: readonly Tab[],
  session: string,
): { readonly tabs: readonly Tab[]; readonly beside: Tab | undefined } {
  const place = tabs.findIndex((tab) => tab.session === session);
  if (place === -1) return { tabs, beside: undefined };
  return { tabs: tabs.toSpliced(place, 1), beside: tabs[place + 1] ?? tabs[place - 1] };
}
