import { monthName } from "../../../ui/index.ts";

/** Sessions of one day, or of a longer time that is over. */
export interface DayGroup<Item> {
  readonly label: string;
  readonly items: readonly Item[];
}

const DAY_MS = 86_400_000;

/** Groups items, newest first, by when they changed: today, yesterday, the seven days before, then by month. */
export function dayGroups<Item extends { readonly last_updated: string }>(
  items: readonly Item[],
  now: Date,
): readonly DayGroup<Item>[] {
  const groups: { label: string; items: Item[] }[] = [];
  for (const item of items) {
    const label = labelOf(new Date(item.last_updated), now);
    const last = groups.at(-1);
    if (last?.label === label) last.items.push(item);
    else groups.push({ label, items: [item] });
  }
  return groups;
}

function labelOf(at: Date, now: Date): string {
  const days = Math.round((startOfDay(now) - startOfDay(at)) / DAY_MS);
  if (days <= 0) return "Today";
  if (days === 1) return "Yesterday";
  if (days <= 7) return "Previous 7 days";
  return monthName(at);
}

/** Midnight in the person's time zone. */
function startOfDay(at: Date): number {
  return new Date(at.getFullYear(), at.getMonth(), at.getDate()).getTime();
}
