/** Waits for a slot and uses it. */
export interface SlotTaker {
  /** Takers of one host share its slots. */
  readonly host: string;
  /** Called once per `acquire`, when it has a slot, which it gives back with `release`. */
  begin(): void;
}

interface HostQueue {
  active: number;
  readonly waiting: SlotTaker[];
}

/** Slots in total, and for one host. */
export interface SlotBounds {
  readonly all: number;
  readonly perHost: number;
}

/**
 * A bounded number of slots, of which one host gets only a few: a receiver that never answers does not delay others.
 * Hosts take turns; takers of one host go in order of arrival.
 */
export class FairSlots {
  readonly #bounds: SlotBounds;
  /** Hosts whose takers have or wait for a slot; insertion order is the order of their turns. */
  readonly #hosts = new Map<string, HostQueue>();
  #active = 0;
  #waiting = 0;
  #whenIdle: (() => void)[] = [];

  constructor(bounds: SlotBounds) {
    this.#bounds = bounds;
  }

  /** Slots in use. */
  get active(): number {
    return this.#active;
  }

  /** Takers without a slot. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Calls `begin` of the taker, now or when a slot is free. */
  acquire(taker: SlotTaker): void {
    let host = this.#hosts.get(taker.host);
    if (host === undefined) {
      host = { active: 0, waiting: [] };
      this.#hosts.set(taker.host, host);
    }
    host.waiting.push(taker);
    this.#waiting++;
    this.#grant();
  }

  release(taker: SlotTaker): void {
    const host = this.#hosts.get(taker.host);
    if (host === undefined) return;
    host.active--;
    this.#active--;
    if (host.active === 0 && host.waiting.length === 0) this.#hosts.delete(taker.host);
    this.#grant();
    if (this.#active > 0) return;
    for (const notify of this.#whenIdle.splice(0)) notify();
  }

  /** Calls back once, when no slot is in use. */
  whenIdle(notify: () => void): void {
    if (this.#active === 0) notify();
    else this.#whenIdle.push(notify);
  }

  /** Examines at most one more host than have slots. */
  #grant(): void {
    while (this.#waiting > 0 && this.#active < this.#bounds.all) {
      const turn = this.#next();
      if (turn === undefined) return;
      const [name, host] = turn;
      this.#hosts.delete(name);
      this.#hosts.set(name, host);
      const taker = host.waiting.shift()!;
      host.active++;
      this.#active++;
      this.#waiting--;
      taker.begin();
    }
  }

  #next(): [string, HostQueue] | undefined {
    for (const turn of this.#hosts) {
      if (turn[1].waiting.length > 0 && turn[1].active < this.#bounds.perHost) return turn;
    }
    return undefined;
  }
}
