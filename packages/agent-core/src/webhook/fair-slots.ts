/** Whoever waits for a place and takes it when it is given. */
export interface SlotTaker {
  /** Two takers of one host share its places. */
  readonly host: string;
  /** Called once per `enter`, when it has a place, which it gives back with `leave`. */
  begin(): void;
}

interface HostQueue {
  active: number;
  readonly waiting: SlotTaker[];
}

/** Bounds of the places. */
export interface SlotBounds {
  readonly all: number;
  readonly perHost: number;
}

/**
 * A bounded number of places, of which one host gets only a few: a receiver that never answers keeps nobody else
 * waiting. Hosts take turns; of one host, who came first goes first.
 */
export class FairSlots {
  readonly #bounds: SlotBounds;
  /** Those that have or want a place; insertion order is the order of their turns. */
  readonly #hosts = new Map<string, HostQueue>();
  #active = 0;
  #waiting = 0;
  #whenIdle: (() => void)[] = [];

  constructor(bounds: SlotBounds) {
    this.#bounds = bounds;
  }

  /** Places taken. */
  get active(): number {
    return this.#active;
  }

  /** Takers without a place. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Takes a place, now or when there is one. */
  enter(taker: SlotTaker): void {
    let host = this.#hosts.get(taker.host);
    if (host === undefined) {
      host = { active: 0, waiting: [] };
      this.#hosts.set(taker.host, host);
    }
    host.waiting.push(taker);
    this.#waiting++;
    this.#give();
  }

  /** Gives a place back. */
  leave(taker: SlotTaker): void {
    const host = this.#hosts.get(taker.host);
    if (host === undefined) return;
    host.active--;
    this.#active--;
    if (host.active === 0 && host.waiting.length === 0) this.#hosts.delete(taker.host);
    this.#give();
    if (this.#active > 0) return;
    for (const tell of this.#whenIdle.splice(0)) tell();
  }

  /** Calls back once when nobody has or wants a place. */
  whenIdle(tell: () => void): void {
    if (this.#active === 0) tell();
    else this.#whenIdle.push(tell);
  }

  /** Looks at no more hosts than have places, and one. */
  #give(): void {
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
