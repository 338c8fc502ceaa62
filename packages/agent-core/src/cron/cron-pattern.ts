import { ScheduleError } from "./schedule-error.ts";

/** Five cron fields. Each set is a bit mask over the values of its field. */
export interface CronPattern {
  readonly text: string;
  /** In ascending order. */
  readonly minutes: readonly number[];
  /** In ascending order. */
  readonly hours: readonly number[];
  readonly days: number;
  readonly months: number;
  /** Bit 0 is Sunday. */
  readonly weekdays: number;
  /** Days of the month and of the week are both restricted: a day that matches one of them matches. */
  readonly eitherDay: boolean;
  /** Minute and hour are written without `*`: times of day that happen once a day, whatever clocks do. */
  readonly fixedTime: boolean;
}

interface Field {
  readonly name: string;
  readonly least: number;
  readonly most: number;
  readonly names?: { readonly first: number; readonly words: readonly string[] };
}

const monthNames = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const weekdayNames = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
const fields = [
  { name: "minute", least: 0, most: 59 },
  { name: "hour", least: 0, most: 23 },
  { name: "day of the month", least: 1, most: 31 },
  { name: "month", least: 1, most: 12, names: { first: 1, words: monthNames } },
  { name: "day of the week", least: 0, most: 7, names: { first: 0, words: weekdayNames } },
] as const satisfies readonly Field[];

/** Long enough for every list of values; what is longer is refused before it is read. */
const MAX_LENGTH = 512;
const DAYS_OF_MONTHS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Reads five cron fields: numbers, English names of months and days, `*`, lists, ranges and steps. @throws ScheduleError */
export function parseCron(text: string): CronPattern {
  if (text.length > MAX_LENGTH) throw new ScheduleError(`a schedule has at most ${MAX_LENGTH} characters`);
  const parts = text.trim().split(/\s+/);
  const [minute, hour, day, month, weekday] = parts;
  if (minute === undefined || hour === undefined || day === undefined || month === undefined || weekday === undefined)
    throw new ScheduleError(`a cron schedule has exactly five fields (${fields.map(({ name }) => name).join(", ")})`);
  if (parts.length > 5)
    throw new ScheduleError("a cron schedule has exactly five fields; seconds and years are not known");
  const pattern: CronPattern = {
    text: parts.join(" "),
    minutes: [...valuesOf(minute, fields[0])].sort((a, b) => a - b),
    hours: [...valuesOf(hour, fields[1])].sort((a, b) => a - b),
    days: maskOf(valuesOf(day, fields[2])),
    months: maskOf(valuesOf(month, fields[3])),
    weekdays: maskOf([...valuesOf(weekday, fields[4])].map((value) => value % 7)),
    eitherDay: !day.includes("*") && !weekday.includes("*"),
    fixedTime: !minute.includes("*") && !hour.includes("*"),
  };
  if (!hasDay(pattern)) throw new ScheduleError("no month that the schedule names has a day that it names");
  return pattern;
}

/** False for such as 30 February. With a restricted day of the week every such day comes within 8 years or never. */
function hasDay({ days, months, eitherDay }: CronPattern): boolean {
  if (eitherDay) return true;
  return DAYS_OF_MONTHS.some((length, index) => {
    const daysOfMonth = 2 ** (length + 1) - 1;
    return (months & (1 << (index + 1))) !== 0 && (days & daysOfMonth) !== 0;
  });
}

function maskOf(values: Iterable<number>): number {
  let mask = 0;
  for (const value of values) mask |= 1 << value;
  return mask;
}

function valuesOf(text: string, field: Field): Set<number> {
  const values = new Set<number>();
  for (const item of text.split(",")) {
    const { from, to, step } = rangeOf(item, field);
    for (let value = from; value <= to; value += step) values.add(value);
  }
  return values;
}

function rangeOf(item: string, field: Field): { from: number; to: number; step: number } {
  const [range, stepText, ...more] = item.split("/");
  if (range === undefined || range === "" || more.length > 0)
    throw new ScheduleError(`the ${field.name} has an item that is empty or has two steps`);
  const step = stepText === undefined ? 1 : stepOf(stepText, field);
  if (range === "*") return { from: field.least, to: field.name === "day of the week" ? 6 : field.most, step };
  const [first, last, ...rest] = range.split("-");
  if (rest.length > 0) throw new ScheduleError(`a range of the ${field.name} has two ends`);
  const from = numberOf(first ?? "", field);
  if (last === undefined) {
    if (stepText === undefined) return { from, to: from, step };
    throw new ScheduleError(`a step of the ${field.name} follows * or a range`);
  }
  const to = numberOf(last, field);
  if (to < from) throw new ScheduleError(`a range of the ${field.name} ends before it begins`);
  return { from, to, step };
}

function stepOf(text: string, field: Field): number {
  const step = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (step === 0) throw new ScheduleError(`a step of the ${field.name} is a number from 1 to 999`);
  return step;
}

function numberOf(text: string, { name, least, most, names }: Field): number {
  const index = names?.words.indexOf(text.toLowerCase()) ?? -1;
  if (names !== undefined && index >= 0) return names.first + index;
  const value = /^\d{1,2}$/.test(text) ? Number(text) : -1;
  if (value >= least && value <= most) return value;
  const words = names === undefined ? "" : " or the first three letters of an English name";
  throw new ScheduleError(`the ${name} is a number from ${least} to ${most}${words}; only * , - and / may join them`);
}
