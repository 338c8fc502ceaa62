import cronstrue from "cronstrue";
import type { CronPattern } from "./cron-pattern.ts";
import type { Schedule } from "./schedule.ts";

const EVERY_WEEKDAY = 0b1111111;

/** A schedule in English, without its zone. */
export function wordsOf(schedule: Schedule): string {
  if (schedule.kind === "once") return `Once, at ${schedule.text}`;
  return cronstrue.toString(plainText(schedule.pattern), { use24HourTimeFormat: true, verbose: false });
}

/** The fields with Sunday once, where they name it as 0 and as 7, which would be said twice. */
function plainText({ text, weekdays, eitherDay }: CronPattern): string {
  const [minute, hour, day, month, weekday = "*"] = text.split(" ");
  const fields = (days: string | undefined, ofWeek: string): string => [minute, hour, days, month, ofWeek].join(" ");
  // Beside restricted days of the month too, every day is a day of the week that is named.
  if (weekdays === EVERY_WEEKDAY && weekday !== "*") return fields(eitherDay ? "*" : day, "*");
  const isNamedTwice = /(?:^|,)(?:0|sun)\b/i.test(weekday) && /(?:^|[,-])7/.test(weekday);
  if (!isNamedTwice) return text;
  return fields(day, [0, 1, 2, 3, 4, 5, 6].filter((one) => (weekdays & (1 << one)) !== 0).join(","));
}
