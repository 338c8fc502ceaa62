/** The classes of an item of the rail: an icon, on a phone with its label below it. */
export const RAIL_ITEM =
  "relative mx-auto flex min-h-12 min-w-12 flex-col items-center justify-center gap-0.5 rounded-md text-ink-soft hover:bg-hover hover:text-ink data-[status=active]:bg-accent-soft data-[status=active]:text-accent list:min-w-15";
