/** A time range of the figures with the width of its buckets. */
export interface Range {
  readonly value: string;
  readonly label: string;
  readonly bucket: "minute" | "hour" | "day";
  /** Milliseconds. */
  readonly length: number;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const USUAL: Range = { value: "24h", label: "Day", bucket: "hour", length: DAY_MS };

/** The ranges there are to choose from. */
export const RANGES: readonly Range[] = [
  { value: "1h", label: "Hour", bucket: "minute", length: HOUR_MS },
  USUAL,
  { value: "7d", label: "Week", bucket: "hour", length: 7 * DAY_MS },
  { value: "30d", label: "Month", bucket: "day", length: 30 * DAY_MS },
  { value: "90d", label: "Quarter", bucket: "day", length: 90 * DAY_MS },
];

/** The range in an address; the last day where it has none. */
export function rangeOf(value: string | undefined): Range {
  return RANGES.find((range) => range.value === value) ?? USUAL;
}

/** The begin of a range, as the API expects it. `now` is epoch milliseconds. */
export function sinceOf({ length }: Range, now: number): string {
  return new Date(now - length).toISOString();
}
