/**
 * Time zones as tables of transitions. `Intl` gives the offset at an instant and nothing more, so transitions are found by
 * sampling a year once a week and bisecting where two samples differ; two transitions within one week that cancel each other would stay
 * unseen (`pnpm proof:cron` compares every zone of the runtime with a scan of all minutes).
 */

import { ScheduleError } from "./schedule-error.ts";

/** Clocks of a zone change. Times are minutes since 1 January 1970 UTC, offsets minutes east of UTC. */
export interface Transition {
  readonly at: number;
  readonly before: number;
  readonly after: number;
}

interface YearOfZone {
  /** Of the first minute of `transitions`' span. */
  readonly offset: number;
  readonly transitions: readonly Transition[];
}

const MINUTE_MS = 60_000;
const DAY = 1440;
const WEEK = 7 * DAY;
/** A year's table begins this much before the year, so that what a clock set back repeats on 1 January is known. */
const LEAD = 3 * DAY;
/** As many years of one zone are kept. */
const MAX_YEARS = 32;
const MAX_ZONES = 512;

/** A time zone by its IANA name. */
export class Zone {
  readonly name: string;
  readonly #format: Intl.DateTimeFormat;
  readonly #years = new Map<number, YearOfZone>();

  /** @throws ScheduleError */
  constructor(name: string) {
    this.name = name;
    this.#format = formatOf(name);
  }

  /** The last transition at or before a minute, where it is at most three days old, and the first one after it, where one comes before `until`. */
  around(
    minute: number,
    until: number,
  ): { offset: number; last: Transition | undefined; next: Transition | undefined } {
    let year = yearOf(minute);
    let { offset } = this.#year(year);
    let last: Transition | undefined;
    for (;;) {
      for (const transition of this.#year(year).transitions) {
        if (transition.at <= minute) {
          offset = transition.after;
          last = transition;
        } else if (transition.at >= until) return { offset, last, next: undefined };
        else return { offset, last, next: transition };
      }
      year++;
      if (startOf(year) >= until) return { offset, last, next: undefined };
    }
  }

  #year(year: number): YearOfZone {
    let known = this.#years.get(year);
    if (known === undefined) {
      known = this.#find(startOf(year) - LEAD, startOf(year + 1));
      if (this.#years.size >= MAX_YEARS) this.#years.delete(this.#years.keys().next().value ?? year);
      this.#years.set(year, known);
    }
    return known;
  }

  #find(from: number, to: number): YearOfZone {
    const transitions: Transition[] = [];
    const first = this.#offset(from);
    let before = first;
    for (let low = from; low < to - 1; ) {
      const high = Math.min(low + WEEK, to - 1);
      const after = this.#offset(high);
      if (after === before) {
        low = high;
        continue;
      }
      const transition = this.#bisect(low, high, before);
      transitions.push(transition);
      before = transition.after;
      low = transition.at;
    }
    return { offset: first, transitions };
  }

  /** The first minute of `(low, high]` whose offset differs from that at `low`. */
  #bisect(low: number, high: number, before: number): Transition {
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (this.#offset(middle) === before) low = middle;
      else high = middle;
    }
    return { at: high, before, after: this.#offset(high) };
  }

  #offset(minute: number): number {
    const parts: Record<string, number> = {};
    for (const { type, value } of this.#format.formatToParts(minute * MINUTE_MS)) parts[type] = Number(value);
    const { year = 0, month = 1, day = 1, hour = 0, minute: shown = 0 } = parts;
    return Math.round(Date.UTC(year, month - 1, day, hour, shown) / MINUTE_MS - minute);
  }
}

/** Zones whose tables are kept, for as long as this is. */
export class Zones {
  readonly #zones = new Map<string, Zone>();

  /** @throws ScheduleError */
  get(name: string): Zone {
    const known = this.#zones.get(name);
    if (known !== undefined) return known;
    const zone = new Zone(name);
    if (this.#zones.size >= MAX_ZONES) this.#zones.delete(this.#zones.keys().next().value ?? name);
    this.#zones.set(name, zone);
    return zone;
  }
}

function formatOf(name: string): Intl.DateTimeFormat {
  // `Intl` also takes bare offsets, which are no IANA names.
  if (name.length <= 64 && /^[A-Za-z][\w+/-]*$/.test(name)) {
    try {
      return new Intl.DateTimeFormat("en-US", {
        ...{ timeZone: name, calendar: "gregory", numberingSystem: "latn", hourCycle: "h23" },
        ...{ year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "numeric" },
      });
    } catch (error) {
      throw new ScheduleError("the time zone is not an IANA name that this runtime knows", { cause: error });
    }
  }
  throw new ScheduleError("the time zone is not an IANA name, such as Europe/Berlin");
}

function yearOf(minute: number): number {
  return new Date(minute * MINUTE_MS).getUTCFullYear();
}

function startOf(year: number): number {
  return Date.UTC(year, 0, 1) / MINUTE_MS;
}
