/**
 * The slots of a cron pattern by looking at every minute: what `cron` of the engine is compared with. It shares no code with it,
 * neither the reading of fields nor the way to the time on the wall.
 */

const MINUTE_MS = 60_000;

/** What a wall in some zone shows at a minute since 1970 UTC, itself as minutes since 1970. */
export type WallOf = (minute: number) => number;

/** The time on the wall by `Intl`. */
export function wallByIntl(timeZone: string): WallOf {
  const format = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "short" });
  return (minute) => Date.parse(`${format.format(minute * MINUTE_MS).replace(" ", "T")}Z`) / MINUTE_MS;
}

/** The time on the wall by `Date`, in the zone of the process; much faster. */
export function wallByDate(minute: number): number {
  const date = new Date(minute * MINUTE_MS);
  return minute - date.getTimezoneOffset();
}

const words: Readonly<Record<string, number>> = {
  ...{ JAN: 1, FEB: 2, MAR: 3, APR: 4, MAY: 5, JUN: 6, JUL: 7, AUG: 8, SEP: 9, OCT: 10, NOV: 11, DEC: 12 },
  ...{ SUN: 0, MON: 1, TUE: 2, WED: 3, THU: 4, FRI: 5, SAT: 6 },
};

function holds(field: string, value: number, least: number): boolean {
  return field.split(",").some((item) => {
    const [, from = "", to, step = "1"] = /^(\*|\w+)(?:-(\w+))?(?:\/(\d+))?$/.exec(item) ?? [];
    if (from === "*") return (value - least) % Number(step) === 0;
    const [low, high] = [from, to ?? from].map((end) => words[end.toUpperCase()] ?? Number(end));
    return value >= low! && value <= high! && (value - low!) % Number(step) === 0;
  });
}

function table(field: string, least: number, most: number): readonly boolean[] {
  return Array.from({ length: most + 1 }, (_, value) => value >= least && holds(field, value, least));
}

/** Slots in `[from, to)`, in minutes since 1970 UTC. */
export function scanMinutes(pattern: string, wallOf: WallOf, from: number, to: number): number[] {
  const [minute = "", hour = "", day = "", month = "", weekday = ""] = pattern.split(" ");
  const [minutes, hours] = [table(minute, 0, 59), table(hour, 0, 23)];
  const [days, months] = [table(day, 1, 31), table(month, 1, 12)];
  const weekdays = Array.from(
    { length: 7 },
    (_, one) => holds(weekday, one, 0) || (one === 0 && !weekday.includes("*") && holds(weekday, 7, 0)),
  );
  const either = !day.includes("*") && !weekday.includes("*");
  const once = !minute.includes("*") && !hour.includes("*");
  const names = (wall: number): boolean => {
    if (minutes[((wall % 60) + 60) % 60] !== true) return false;
    const date = new Date(wall * MINUTE_MS);
    if (hours[date.getUTCHours()] !== true || months[date.getUTCMonth() + 1] !== true) return false;
    const [isDay, isWeekday] = [days[date.getUTCDate()] === true, weekdays[date.getUTCDay()] === true];
    return either ? isDay || isWeekday : isDay && isWeekday;
  };
  const slots: number[] = [];
  // What the days before showed has happened already.
  let shown = wallOf(from - 2880);
  for (let at = from - 2880; at < to; at++) {
    const wall = wallOf(at);
    let due = false;
    if (!once) due = names(wall);
    else for (; shown < wall; shown++) due = names(shown + 1) || due;
    if (due && at >= from) slots.push(at);
  }
  return slots;
}
