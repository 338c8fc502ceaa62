/** Something the palette offers. */
export interface Entry {
  readonly id: string;
  readonly label: string;
  /** A few words beside it: its keys, its group, when it was. */
  readonly detail: string;
  readonly run: () => void;
  /** Its id may be kept in the browser. */
  readonly keepsId: boolean;
}

/** Entries under a heading. */
export interface Section {
  readonly label: string;
  readonly entries: readonly Entry[];
}

/** Entries of the section of what was opened last. */
const RECENT = 5;

/**
 * The sections in their order: without a search what was opened last is a section of its own, on top; with one it comes
 * first within each. Empty sections are left out.
 */
export function arranged(sections: readonly Section[], recent: readonly string[], search: string): readonly Section[] {
  const rank = new Map(recent.map((id, index) => [id, index]));
  const rankOf = ({ id }: Entry): number => rank.get(id) ?? recent.length;
  const byUse = (entries: readonly Entry[]): readonly Entry[] => entries.toSorted((a, b) => rankOf(a) - rankOf(b));
  if (search !== "") return filled(sections.map(({ label, entries }) => ({ label, entries: byUse(entries) })));
  const used = sections.flatMap(({ entries }) => entries).filter(({ id }) => rank.has(id));
  const top = byUse(used).slice(0, RECENT);
  const rest = sections.map(({ label, entries }) => ({ label, entries: entries.filter((one) => !top.includes(one)) }));
  return filled([{ label: "Recently used", entries: top }, ...rest]);
}

function filled(sections: readonly Section[]): readonly Section[] {
  return sections.filter(({ entries }) => entries.length > 0);
}
