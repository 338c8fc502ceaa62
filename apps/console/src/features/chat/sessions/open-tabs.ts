/** A tab of a conversation. */
export interface Tab {
  readonly session: string;
  readonly title: string;
}

/** Beyond it, the tabs opened first are closed. */
export const MOST_TABS = 8;

/** Reads the tabs the browser stored; entries that are no tabs are skipped. */
export function readTabs(stored: string | undefined): readonly Tab[] {
  try {
    const value: unknown = JSON.parse(stored ?? "[]");
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

/** Adds a tab at the end, or updates the title of one that is open; the order stays. */
export function withTab(tabs: readonly Tab[], tab: Tab): readonly Tab[] {
  const index = tabs.findIndex(({ session }) => session === tab.session);
  if (index === -1) return [...tabs, tab].slice(-MOST_TABS);
  return tabs[index]?.title === tab.title ? tabs : tabs.with(index, tab);
}

/** Removes a tab; also returns its neighbour, the one after it first. */
export function withoutTab(
  tabs: readonly Tab[],
  session: string,
): { readonly tabs: readonly Tab[]; readonly beside: Tab | undefined } {
  const index = tabs.findIndex((tab) => tab.session === session);
  if (index === -1) return { tabs, beside: undefined };
  return { tabs: tabs.toSpliced(index, 1), beside: tabs[index + 1] ?? tabs[index - 1] };
}
