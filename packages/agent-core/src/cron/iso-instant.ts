import { ScheduleError } from "./schedule-error.ts";
import type { Zone } from "./zone.ts";

const MINUTE_MS = 60_000;
const DAY = 1440;
const FORM = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,3}))?)?(Z|[+-]\d\d:?\d\d)?$/i;

/**
 * The instant of an ISO-8601 datetime, in epoch milliseconds. One without an offset is a time on the wall of `zone`: where clocks
 * skip it, the end of the gap; where they repeat it, the first time.
 * @throws ScheduleError
 */
export function parseInstant(text: string, zone: Zone): number {
  const match = FORM.exec(text);
  if (match === null)
    throw new ScheduleError("a datetime has the form 2027-03-01T09:00, with Z or an offset at its end or without");
  const [, year, month, day, hour, minute, second = "0", fraction = "0", offset] = match;
  const [monthIndex, date] = [Number(month) - 1, Number(day)];
  const wall = Date.UTC(Number(year), monthIndex, date, Number(hour), Number(minute));
  const shown = new Date(wall);
  const exists =
    shown.getUTCMonth() === monthIndex && shown.getUTCDate() === date && shown.getUTCHours() === Number(hour);
  if (!exists || Number(minute) > 59 || Number(second) > 59)
    throw new ScheduleError("the datetime is not in the calendar");
  const rest = Number(second) * 1000 + Number(fraction.padEnd(3, "0"));
  if (offset !== undefined) return wall + rest - offsetOf(offset) * MINUTE_MS;
  const { at, moved } = atOnWall(wall / MINUTE_MS, zone);
  return at * MINUTE_MS + (moved ? 0 : rest);
}

/** The minute that a wall shows at a datetime without an offset, counted since 1 January 1970; undefined: it has an offset. */
export function wallMinuteOf(text: string): number | undefined {
  const [, year, month, day, hour, minute, , , offset] = FORM.exec(text) ?? [];
  if (minute === undefined || offset !== undefined) return undefined;
  return Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute)) / MINUTE_MS;
}

function offsetOf(text: string): number {
  if (text.toUpperCase() === "Z") return 0;
  const [hours, minutes] = [Number(text.slice(1, 3)), Number(text.slice(-2))];
  if (hours > 23 || minutes > 59) throw new ScheduleError("the datetime has an offset that does not exist");
  return (text.startsWith("-") ? -1 : 1) * (hours * 60 + minutes);
}

/** The first minute at which a wall shows `local`, or has passed it. */
function atOnWall(local: number, zone: Zone): { at: number; moved: boolean } {
  // Offsets reach from -12 to +14 hours; no two transitions are nearer than that.
  for (let from = local - DAY; ; ) {
    const { offset, next } = zone.around(from, local + 2 * DAY);
    const at = local - offset;
    if (at < from) return { at: from, moved: true };
    if (next === undefined || at < next.at) return { at, moved: false };
    from = next.at;
  }
}
