import type { CronPattern } from "./cron-pattern.ts";

/** Minutes of a day. */
const DAY = 1440;

/**
 * The first minute from `from` on, and before `before`, that a pattern names, on a calendar without a zone: both count
 * minutes since 1 January 1970 as a clock on the wall shows them.
 */
export function nextLocalMinute(pattern: CronPattern, from: number, before: number): number | undefined {
  let day = Math.floor(from / DAY);
  let minute = from - day * DAY;
  while (day * DAY < before) {
    const { date, month, length } = civilOf(day);
    if ((pattern.months & (1 << month)) === 0) {
      day += length - date + 1;
      minute = 0;
      continue;
    }
    const time = isDay(pattern, day, date) ? timeFrom(pattern, minute) : undefined;
    if (time !== undefined) {
      const found = day * DAY + time;
      return found < before ? found : undefined;
    }
    day++;
    minute = 0;
  }
  return undefined;
}

function isDay({ days, weekdays, eitherDay }: CronPattern, day: number, date: number): boolean {
  const isDate = (days & (1 << date)) !== 0;
  const isWeekday = (weekdays & (1 << ((((day + 4) % 7) + 7) % 7))) !== 0;
  return eitherDay ? isDate || isWeekday : isDate && isWeekday;
}

function timeFrom({ hours, minutes }: CronPattern, minute: number): number | undefined {
  const hourNow = Math.floor(minute / 60);
  for (const hour of hours) {
    if (hour < hourNow) continue;
    if (hour > hourNow) return hour * 60 + (minutes[0] ?? 0);
    const rest = minute - hour * 60;
    for (const one of minutes) if (one >= rest) return hour * 60 + one;
  }
  return undefined;
}

/** The date of a day since 1 January 1970, in the proleptic Gregorian calendar. Years begin in March here, so that leap days end them. */
function civilOf(day: number): { date: number; month: number; length: number } {
  const shifted = day + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const marchMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const date = dayOfYear - Math.floor((153 * marchMonth + 2) / 5) + 1;
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9;
  return { date, month, length: month === 2 ? lengthOfFebruary(yearOfEra + 1) : LENGTHS[month - 1]! };
}

const LENGTHS: readonly number[] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** February ends the year that begins in March, so it lies in the year after. */
function lengthOfFebruary(year: number): number {
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return leap ? 29 : 28;
}
