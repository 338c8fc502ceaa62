/** A choice of the range picker. */
export interface Range {
  readonly value: string;
  readonly label: string;
  readonly bucket: BucketLength;
  /** Milliseconds. */
  readonly length: number;
}

export type BucketLength = "minute" | "hour" | "day";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Milliseconds of each. */
export const BUCKETS: Readonly<Record<BucketLength, number>> = { minute: 60_000, hour: HOUR_MS, day: DAY_MS };

const USUAL: Range = { value: "24h", label: "Day", bucket: "hour", length: DAY_MS };

/** The ranges there are to choose from, each up to now. */
export const RANGES: readonly Range[] = [
  { value: "1h", label: "Hour", bucket: "minute", length: HOUR_MS },
  USUAL,
  { value: "7d", label: "Week", bucket: "hour", length: 7 * DAY_MS },
  { value: "30d", label: "Month", bucket: "day", length: 30 * DAY_MS },
  { value: "90d", label: "Quarter", bucket: "day", length: 90 * DAY_MS },
];

/** What an address says of the time: a range by its name, or dates (`2026-11-01`), the last one included. */
export interface ChosenTime {
  readonly range?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** A time in whole buckets, epoch milliseconds. */
export interface Span {
  readonly since: number;
  readonly until: number;
  readonly bucket: BucketLength;
  /** The time before it, as long as what has passed of it. */
  readonly before: { readonly since: number; readonly until: number };
}

/** More days than this are not drawn: what is kept is less. */
const MOST_DAYS = 366;
/** Up to so many days are drawn in hours. */
const HOURLY_DAYS = 3;

/** The choice by name; the last day where there is none. */
export function rangeOf(value: string | undefined): Range {
  return RANGES.find((range) => range.value === value) ?? USUAL;
}

/** The dates of an address as times, in the person's own zone; undefined where they are none, or the wrong way round. */
export function datesOf({ from, to }: ChosenTime): { readonly since: number; readonly until: number } | undefined {
  const [since, last] = [dayStart(from), dayStart(to)];
  if (since === undefined || last === undefined || last < since) return undefined;
  const end = new Date(last);
  end.setDate(end.getDate() + 1);
  return { since: Math.max(since, end.getTime() - MOST_DAYS * DAY_MS), until: end.getTime() };
}

function dayStart(date: string | undefined): number | undefined {
  if (date === undefined || !/^\d{4}-\d{2}-\d{2}$/.test(date)) return undefined;
  const time = new Date(`${date}T00:00`).getTime();
  return Number.isNaN(time) ? undefined : time;
}

/** The time that an address names, in whole buckets, with the one before it. `now` is epoch milliseconds. */
export function spanOf(chosen: ChosenTime, now: number): Span {
  const dates = datesOf(chosen);
  const range = rangeOf(chosen.range);
  const days = dates === undefined ? 0 : (dates.until - dates.since) / DAY_MS;
  const bucket = dates === undefined ? range.bucket : days <= HOURLY_DAYS ? "hour" : "day";
  const length = BUCKETS[bucket];
  const end = dates?.until ?? now;
  const until = Math.ceil(end / length) * length;
  const since = Math.floor((dates?.since ?? until - range.length) / length) * length;
  const passed = Math.min(until, now) - since;
  return { since, until, bucket, before: { since: since - (until - since), until: since - (until - since) + passed } };
}

/** A time as the API and addresses take it. */
export function isoTime(at: number): string {
  return new Date(at).toISOString();
}
