/** Milliseconds from the start of the service until slots are caught up. */
const FIRST_MS = 5_000;
/** Milliseconds between two that are caught up. */
const STEP_MS = 1_000;
/** So many starts within so long: the service may be brought down by what it catches up. */
const MOST_BOOTS = 3;
const BOOTS_MS = 600_000;
const HELD_MS = 300_000;
/** Milliseconds a slot is late by when it counts as one that is caught up, whenever the service started. */
const LATE_MS = 60_000;

/** Paces the slots that are late: after a start, or after the machine slept (G6). Times are epoch milliseconds. */
export class CatchUp {
  #startedAt = 0;
  #next = 0;
  readonly #granted = new Map<string, number>();

  /** `boots`: when the service started before. Returns those that still count, with this start. */
  start(now: number, boots: readonly number[]): readonly number[] {
    const counted = [...boots.filter((at) => at > now - BOOTS_MS && at <= now), now];
    this.#startedAt = now;
    this.#next = now + (counted.length >= MOST_BOOTS ? HELD_MS : FIRST_MS);
    return counted.slice(-MOST_BOOTS);
  }

  /** When a slot that was due may begin; a time that is not after `now`: at once. */
  from(job: string, due: number, now: number): number {
    if (due >= this.#startedAt && now - due < LATE_MS) return now;
    const granted = this.#granted.get(job);
    if (granted !== undefined) return granted;
    this.#next = Math.max(this.#next, now);
    this.#granted.set(job, this.#next);
    this.#next += STEP_MS;
    return this.#granted.get(job)!;
  }

  /** It has begun, or is not wanted any more. */
  settle(job: string): void {
    this.#granted.delete(job);
  }
}
