/** Figures as people read them. An unknown figure is a dash, never a zero. */

/** Shown for unknown figures. */
export const UNKNOWN = "–";

const whole = new Intl.NumberFormat("en");
const short = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

/** `1,234`. */
export function count(value: number | null | undefined): string {
  return value === null || value === undefined ? UNKNOWN : whole.format(value);
}

/** `3.1K`. */
export function tokens(value: number | null | undefined): string {
  return value === null || value === undefined ? UNKNOWN : short.format(value);
}

/** US dollars with their significant digits: `$0.0042`. */
export function dollars(value: number | null | undefined): string {
  if (value === null || value === undefined) return UNKNOWN;
  if (value === 0) return "$0.00";
  return `$${Math.abs(value) < 0.1 ? value.toPrecision(2) : value.toFixed(2)}`;
}

/** A time span: `38 ms`, `4.2 s`, `3 min 5 s`, `2 h 10 min`. */
export function duration(ms: number | null | undefined): string {
  if (ms === null || ms === undefined) return UNKNOWN;
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  const seconds = ms / 1_000;
  if (seconds < 60) return `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${Math.round(seconds % 60)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

// Without a locale and a zone: those of the person's browser. All times of the console are formatted here.
const dayAndTime = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });
const dayAndMinute = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
const timeOfDay = new Intl.DateTimeFormat(undefined, { timeStyle: "medium" });
const minuteOfDay = new Intl.DateTimeFormat(undefined, { timeStyle: "short" });
const day = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });
const dayOfYear = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" });
const month = new Intl.DateTimeFormat(undefined, { month: "long", year: "numeric" });
const dayOfWeek = { weekday: "long", day: "numeric", month: "long" } as const;
const namedDay = new Intl.DateTimeFormat(undefined, dayOfWeek);
const namedDayAndYear = new Intl.DateTimeFormat(undefined, { ...dayOfWeek, year: "numeric" });

/** The IANA name of the zone that times are shown in. */
export function ownZone(): string {
  return dayAndTime.resolvedOptions().timeZone;
}

/** A moment in the person's own format, exact to the second. `at` is ISO-8601. */
export function exactTime(at: string): string {
  return dayAndTime.format(new Date(at));
}

/** The same without seconds; `daily` leaves the time out. */
export function startOf(at: string, daily: boolean): string {
  return (daily ? day : dayAndMinute).format(new Date(at));
}

/** The time of day of a moment, to the second. */
export function clockSeconds(at: string): string {
  return timeOfDay.format(new Date(at));
}

/** Bytes: `12 MB`. */
export function bytes(value: number | null | undefined): string {
  if (value === null || value === undefined) return UNKNOWN;
  const units = ["B", "kB", "MB", "GB", "TB"];
  let rest = value;
  let unit = 0;
  while (rest >= 1_000 && unit < units.length - 1) {
    rest /= 1_000;
    unit += 1;
  }
  return `${rest < 10 && unit > 0 ? rest.toFixed(1) : Math.round(rest)} ${units[unit]}`;
}

/** The time of a day in the person's own format: `14:02`. */
export function clockTime(at: Date | number | string): string {
  return minuteOfDay.format(new Date(at));
}

/** A day without its year, as on an axis: `21 Nov`. */
export function shortDay(at: Date): string {
  return dayOfYear.format(at);
}

/** `November 2026`. */
export function monthName(at: Date): string {
  return month.format(at);
}

/** The name of a day: `Today`, `Yesterday`, else its date in the person's own format, with the year where that is another. */
export function dayName(day: Date, now: Date): string {
  const before = (days: number): string =>
    new Date(now.getFullYear(), now.getMonth(), now.getDate() - days).toDateString();
  if (day.toDateString() === before(0)) return "Today";
  if (day.toDateString() === before(1)) return "Yesterday";
  return (day.getFullYear() === now.getFullYear() ? namedDay : namedDayAndYear).format(day);
}

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto", style: "short" });
const STEPS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];

/** How long ago: `5 min. ago`. */
export function ago(time: Date, now: Date): string {
  const seconds = (time.getTime() - now.getTime()) / 1_000;
  for (const [unit, length] of STEPS) {
    if (Math.abs(seconds) >= length) return relative.format(Math.round(seconds / length), unit);
  }
  return Math.abs(seconds) < 5 ? "now" : relative.format(Math.round(seconds), "second");
}
