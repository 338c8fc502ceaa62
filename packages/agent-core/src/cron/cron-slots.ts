/**
 * Instants at which a cron pattern is due in a time zone (G3).
 *
 * Invariants
 *  CR2  Slots only move forward: each is after the one before.
 *  CR3  A fixed time happens once a day: skipped by the clock, at the end of the gap; repeated, the first time only. Other
 *       patterns follow the clock on the wall: what it skips does not happen, what it repeats happens both times.
 */

import type { CronPattern } from "./cron-pattern.ts";
import { nextLocalMinute } from "./local-times.ts";
import type { Transition, Zone } from "./zone.ts";

const MINUTE_MS = 60_000;
const DAY = 1440;
/** 29 February of 2096 and of 2104 are this far apart; a pattern without a slot in it has none. */
const HORIZON = 8 * 366 * DAY;
/** The first slot is mostly near: tables of later years are asked for only where it is not. */
const FIRST_LOOK = 40 * DAY;

/** The first slot after an instant; both are epoch milliseconds. Undefined where 8 years have none. */
export function nextCronSlot(pattern: CronPattern, zone: Zone, after: number): number | undefined {
  let from = Math.floor(after / MINUTE_MS) + 1;
  const until = from + HORIZON;
  for (let look = FIRST_LOOK; from < until; look *= 4) {
    const seen = Math.min(from + look, until);
    const { offset, last, next } = zone.around(from, seen);
    const end = next?.at ?? seen;
    const slot = slotWithin(pattern, { from, end, offset, last });
    if (slot !== undefined) return slot * MINUTE_MS;
    from = end;
  }
  return undefined;
}

interface Stretch {
  readonly from: number;
  readonly end: number;
  readonly offset: number;
  readonly last: Transition | undefined;
}

function slotWithin(pattern: CronPattern, { from, end, offset, last }: Stretch): number | undefined {
  let local = from + offset;
  if (pattern.fixedTime && last !== undefined) {
    const [shownLast, shownNext] = [last.at + last.before, last.at + last.after];
    if (last.at === from && nextLocalMinute(pattern, shownLast, shownNext) !== undefined) return from;
    local = Math.max(local, shownLast);
  }
  const found = nextLocalMinute(pattern, local, end + offset);
  return found === undefined ? undefined : found - offset;
}
