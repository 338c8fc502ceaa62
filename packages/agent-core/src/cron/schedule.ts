import { type CronPattern, parseCron } from "./cron-pattern.ts";
import { nextCronSlot } from "./cron-slots.ts";
import { parseInstant } from "./iso-instant.ts";
import { ScheduleError } from "./schedule-error.ts";
import type { Zone, Zones } from "./zone.ts";

/** When something is due: again and again, or once. */
export type Schedule =
  | { readonly kind: "cron"; readonly text: string; readonly pattern: CronPattern; readonly zone: Zone }
  | { readonly kind: "once"; readonly text: string; readonly at: number; readonly zone: Zone };

export interface ScheduleRequest {
  readonly schedule: string;
  /** An IANA name; UTC unless given. An offset in a datetime wins. */
  readonly timezone?: string | undefined;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** A datetime this much in the past is taken as now: a person or a model names a time that passes while it is sent. */
const LATENESS_MS = 60_000;
const HOUR_MS = 3_600_000;

/** Reads five cron fields or an ISO-8601 datetime. @throws ScheduleError */
export function parseSchedule(zones: Zones, { schedule, timezone, now }: ScheduleRequest): Schedule {
  const zone = zones.get(timezone ?? "UTC");
  const text = schedule.trim();
  if (/^\d{4}-/.test(text)) {
    const at = parseInstant(text, zone);
    if (at < now - LATENESS_MS) throw new ScheduleError("the datetime has passed");
    return { kind: "once", text, at, zone };
  }
  const pattern = parseCron(text);
  const cron: Schedule = { kind: "cron", text: pattern.text, pattern, zone };
  if (nextSlot(cron, now) === undefined) throw new ScheduleError("the schedule has no time within 8 years");
  return cron;
}

/** The first slot after an instant, in epoch milliseconds. */
export function nextSlot(schedule: Schedule, after: number): number | undefined {
  if (schedule.kind === "once") return schedule.at > after ? schedule.at : undefined;
  return nextCronSlot(schedule.pattern, schedule.zone, after);
}

/** The last slot after `after` and not after `until`. Looks back in growing steps, so that it is fast for dense schedules too. */
export function latestSlot(schedule: Schedule, after: number, until: number): number | undefined {
  for (let [end, span] = [until, HOUR_MS]; end > after; span *= 8) {
    const begin = Math.max(after, end - span);
    let found: number | undefined;
    for (let slot = nextSlot(schedule, begin); slot !== undefined && slot <= end; slot = nextSlot(schedule, slot))
      found = slot;
    if (found !== undefined) return found;
    end = begin;
  }
  return undefined;
}

/** How many slots lie after `after` and not after `until`; counts to `most`. */
export function countSlots(
  schedule: Schedule,
  span: { readonly after: number; readonly until: number },
  most: number,
): number {
  let count = 0;
  for (let slot = nextSlot(schedule, span.after); slot !== undefined && slot <= span.until; ) {
    if (++count >= most) break;
    slot = nextSlot(schedule, slot);
  }
  return count;
}
