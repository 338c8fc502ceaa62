/** What is due in one go of a calendar. */
export interface CalendarEntry {
  readonly job_id: string;
  /** ISO-8601. */
  readonly at: string;
  readonly count: number;
}

/** A day of this browser's clock. */
export interface CalendarDay {
  /** Of its first entry, ISO-8601. */
  readonly at: string;
  readonly entries: readonly CalendarEntry[];
}

/** Entries, which come in order, by the days on which they fall. */
export function daysOf(entries: readonly CalendarEntry[]): readonly CalendarDay[] {
  const days = new Map<string, CalendarEntry[]>();
  for (const entry of entries) {
    const name = new Date(entry.at).toDateString();
    const day = days.get(name);
    if (day === undefined) days.set(name, [entry]);
    else day.push(entry);
  }
  return [...days.values()].map((of) => ({ at: of[0]!.at, entries: of }));
}
