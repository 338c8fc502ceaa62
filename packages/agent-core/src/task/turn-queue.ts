/**
 * Which turn runs when (EN4; A9, S7): one per context in order of arrival, a bounded number at a time, the
 * operator's before those of peers.
 *
 * Invariants
 *  TQ1  A context has at most one holder; the others wait behind it in order of arrival.
 *  TQ2  A holder begins when `TurnBounds` leave room for its party, in the order holders of the party got their context. A
 *       turn that has begun holds a slot while it works and none while it waits for its model. Slotless turns do not count
 *       and do not wait: a turn that has a slot waits for them, or they are bounded otherwise.
 *  TQ3  A context without holder and waiters takes no memory.
 *  TQ4  A free slot goes to a turn that wants to work again before one that begins, and to the operator's before a
 *       peer's; after `MAX_PASSED_OVER` of those in a row to a peer's that may have it.
 */

import { ReleasingMap } from "../collection/index.ts";
import { type Party, PartyCount, partyOf } from "../share/index.ts";
import { PEER_BYTES, type TurnBounds } from "./turn-bounds.ts";

/** Turns of the operator that get a slot in a row while one of a peer waits for it. */
const MAX_PASSED_OVER = 16;
/** Bytes a turn holds beside its conversation: its state, its sockets. */
const TURN_BYTES = 64 * 1024;

/** A turn that wants to run in a context. */
export interface QueuedTurn {
  readonly id: string;
  /** The context's key. */
  readonly key: string;
  readonly class: string;
  /** Runs without a slot (TQ2). */
  readonly slotless?: boolean;
  /** Called once, when it may run; it has a slot then. */
  run(): void;
}

/** How many turns there are, and how long the oldest waits. */
export interface TurnLoad {
  /** Turns begun and not over, those that wait for their model included. */
  readonly running: number;
  /** Those of them that work now. */
  readonly working: number;
  /** Turns that have not begun. */
  readonly waiting: number;
  /** Milliseconds that the one has waited that waits longest; 0: none waits. */
  readonly oldestWaitMs: number;
}

interface Waiting {
  readonly turn: QueuedTurn;
  readonly since: number;
}

interface Context {
  readonly holder: QueuedTurn;
  readonly queue: Waiting[];
}

interface Begun {
  readonly turn: QueuedTurn;
  readonly party: Party;
  works: boolean;
  bytes: number;
  /** Called when it gets a slot again; undefined: it does not wait for one. */
  resume: (() => void) | undefined;
}

interface PartyQueue {
  /** Begun turns that want to work again. */
  readonly resuming: Begun[];
  /** Holders that have not begun. */
  readonly ready: Waiting[];
}

/** The turns of one store. */
export class TurnQueue {
  readonly #bounds: () => TurnBounds;
  readonly #now: () => number;
  readonly #contexts = new ReleasingMap<Context>();
  readonly #begun = new ReleasingMap<Begun>();
  readonly #queues: Readonly<Record<Party, PartyQueue>> = {
    operator: { resuming: [], ready: [] },
    peers: { resuming: [], ready: [] },
  };
  readonly #counts = { begun: new PartyCount(), working: new PartyCount(), bytes: new PartyCount() };
  readonly #waiting = new PartyCount();
  #passedOver = 0;
  #closed = false;

  /** `now`: epoch milliseconds. */
  constructor(bounds: () => TurnBounds, now: () => number) {
    this.#bounds = bounds;
    this.#now = now;
  }

  /** Turns that wait behind the holder of a context. */
  waitingIn(key: string): number {
    return this.#contexts.get(key)?.queue.length ?? 0;
  }

  /** Turns that want to run and do not. */
  get waiting(): number {
    return this.#waiting.all;
  }

  /** Turns begun and not over. */
  get running(): number {
    return this.#begun.size;
  }

  /** What runs and waits; of peers alone, or of everybody. */
  load(only?: Party): TurnLoad {
    let [running, working, oldest] = [0, 0, Number.POSITIVE_INFINITY];
    for (const { party, works } of this.#begun.values()) {
      if (only !== undefined && party !== only) continue;
      running++;
      if (works) working++;
    }
    const count = ({ turn, since }: Waiting): void => {
      if (only === undefined || partyOf(turn.class) === only) oldest = Math.min(oldest, since);
    };
    for (const { ready } of Object.values(this.#queues)) for (const one of ready) count(one);
    for (const { queue } of this.#contexts.values()) if (queue[0] !== undefined) count(queue[0]);
    const waiting = only === undefined ? this.#waiting.all : this.#waiting[only];
    return { running, working, waiting, oldestWaitMs: waiting === 0 ? 0 : Math.max(0, this.#now() - oldest) };
  }

  /** Whether a turn entering this context now would run at once. */
  free(of: Pick<QueuedTurn, "key" | "class" | "slotless">): boolean {
    if (this.#closed || this.#contexts.has(of.key)) return false;
    return of.slotless === true || this.#mayBegin(partyOf(of.class));
  }

  /** Whether a turn that has to wait may. */
  hasRoom(callerClass: string): boolean {
    return this.#waiting.free(partyOf(callerClass), this.#bounds().maxQueued);
  }

  /** Whether a turn runs in this context or waits for it. */
  held(key: string): boolean {
    return this.#contexts.has(key);
  }

  /** Lets no turn begin from now on; those begun continue. */
  close(): void {
    this.#closed = true;
  }

  /**
   * Takes the context at once; only when `free`. Its `run` is not called. `works`: it takes a slot as well, until
   * `releaseSlot`.
   */
  take(turn: QueuedTurn, works: boolean): void {
    if (!this.free(turn)) throw new Error(`context ${turn.key} is not free`);
    this.#contexts.set(turn.key, { holder: turn, queue: [] });
    this.#begin(turn, works);
  }

  /** Adds a turn to the queue of its context; `run` is called when it may begin, at once if it can. */
  enter(turn: QueuedTurn): void {
    const waiting = { turn, since: this.#now() };
    this.#waiting[partyOf(turn.class)]++;
    const context = this.#contexts.get(turn.key);
    if (context !== undefined) {
      context.queue.push(waiting);
      return;
    }
    this.#hold(waiting, []);
    this.#pump();
  }

  /** Ends a holder's run, or withdraws a waiting turn. Unknown ids are ignored. */
  leave(id: string, key: string): void {
    const context = this.#contexts.get(key);
    if (context === undefined) return;
    if (context.holder.id !== id) {
      this.#withdraw(context.queue, id);
      return;
    }
    const begun = this.#begun.get(id);
    if (begun === undefined) this.#withdraw(this.#queues[partyOf(context.holder.class)].ready, id);
    else this.#end(begun);
    this.#contexts.delete(key);
    const next = context.queue.shift();
    if (next !== undefined) this.#hold(next, context.queue);
    this.#pump();
  }

  /** A turn that has begun waits for its model from now on; `bytes`: what it holds of its conversation. */
  releaseSlot(id: string, bytes: number): void {
    const begun = this.#begun.get(id);
    if (begun === undefined || begun.turn.slotless === true) return;
    this.#counts.bytes[begun.party] += bytes - begun.bytes + TURN_BYTES;
    begun.bytes = bytes + TURN_BYTES;
    if (begun.works) {
      begun.works = false;
      this.#counts.working[begun.party]--;
    }
    this.#pump();
  }

  /** A turn that has begun wants to work; a promise where it has to wait, which resolves when it may, or when aborted. */
  acquireSlot(id: string, signal: AbortSignal): Promise<void> | undefined {
    const begun = this.#begun.get(id);
    if (begun === undefined || begun.turn.slotless === true || begun.works || signal.aborted) return undefined;
    const { resuming } = this.#queues[begun.party];
    if (resuming.length === 0 && this.#mayWork(begun.party)) {
      this.#works(begun);
      return undefined;
    }
    return new Promise((resolve) => {
      const over = (): void => {
        signal.removeEventListener("abort", withdraw);
        begun.resume = undefined;
        resolve();
      };
      const withdraw = (): void => {
        const at = resuming.indexOf(begun);
        if (at >= 0) resuming.splice(at, 1);
        over();
      };
      begun.resume = over;
      resuming.push(begun);
      signal.addEventListener("abort", withdraw, { once: true });
    });
  }

  /** Whether a turn that has begun waits for a slot. */
  waitsForSlot(id: string): boolean {
    return this.#begun.get(id)?.resume !== undefined;
  }

  /** Begins turns for which changed bounds leave room. */
  boundsChanged(): void {
    this.#pump();
  }

  #hold(waiting: Waiting, queue: Waiting[]): void {
    const { turn } = waiting;
    this.#contexts.set(turn.key, { holder: turn, queue });
    if (turn.slotless === true && !this.#closed) this.#run(waiting);
    else this.#queues[partyOf(turn.class)].ready.push(waiting);
  }

  #run({ turn }: Waiting): void {
    this.#waiting[partyOf(turn.class)]--;
    this.#begin(turn, true);
    turn.run();
  }

  #begin(turn: QueuedTurn, works: boolean): void {
    const begun: Begun = { turn, party: partyOf(turn.class), works: false, bytes: 0, resume: undefined };
    this.#begun.set(turn.id, begun);
    if (turn.slotless === true) return;
    begun.bytes = TURN_BYTES;
    this.#counts.bytes[begun.party] += TURN_BYTES;
    this.#counts.begun[begun.party]++;
    if (works) this.#works(begun);
  }

  #works(begun: Begun): void {
    begun.works = true;
    this.#counts.working[begun.party]++;
  }

  #end(begun: Begun): void {
    const { party, turn, works, bytes } = begun;
    this.#begun.delete(turn.id);
    if (turn.slotless === true) return;
    const { resuming } = this.#queues[party];
    const at = resuming.indexOf(begun);
    if (at >= 0) resuming.splice(at, 1);
    begun.resume?.();
    this.#counts.begun[party]--;
    this.#counts.bytes[party] -= bytes;
    if (works) this.#counts.working[party]--;
  }

  #withdraw(from: Waiting[], id: string): void {
    const at = from.findIndex(({ turn }) => turn.id === id);
    if (at < 0) return;
    const [waiting] = from.splice(at, 1);
    this.#waiting[partyOf(waiting!.turn.class)]--;
  }

  #mayWork(party: Party): boolean {
    return this.#counts.working.free(party, this.#bounds().maxRunning);
  }

  #mayBegin(party: Party): boolean {
    const { maxBegun, maxConversationBytes } = this.#bounds();
    const { begun, bytes } = this.#counts;
    if (!this.#mayWork(party) || !begun.free(party, maxBegun)) return false;
    // One whose conversation is larger than all that may be held runs alone.
    return begun[party] === 0 || bytes.free(party, maxConversationBytes, { part: PEER_BYTES });
  }

  /** Gives the next free slot of a party; undefined: nothing waits for one, or there is none. */
  #next(party: Party): (() => void) | undefined {
    const { resuming, ready } = this.#queues[party];
    if (resuming.length > 0) {
      if (!this.#mayWork(party)) return undefined;
      return () => {
        const begun = resuming.shift()!;
        this.#works(begun);
        begun.resume?.();
      };
    }
    if (ready.length === 0 || this.#closed || !this.#mayBegin(party)) return undefined;
    return () => this.#run(ready.shift()!);
  }

  #pump(): void {
    for (;;) {
      const peers = this.#next("peers");
      const operator = this.#passedOver >= MAX_PASSED_OVER && peers !== undefined ? undefined : this.#next("operator");
      const next = operator ?? peers;
      if (next === undefined) return;
      this.#passedOver = operator === undefined || peers === undefined ? 0 : this.#passedOver + 1;
      next();
    }
  }
}
