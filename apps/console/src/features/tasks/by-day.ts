import { dayName } from "../../ui/index.ts";

/** Rows by the day of their last change in the person's time zone, in the order in which they come. */
export function byDay<TRow extends { readonly last_updated: string }>(
  rows: readonly TRow[],
  now: Date,
): readonly (readonly [day: string, rows: readonly TRow[]])[] {
  return [...Map.groupBy(rows, ({ last_updated }) => dayName(new Date(last_updated), now))];
}
