import { type Party, PartyCount, partyOf } from "../share/index.ts";

/**
 * A bounded number of places, half of which peers may have; who finds none waits, the operator's before peers', in order
 * of arrival.
 */
export class Slots {
  readonly #size: number;
  readonly #taken = new PartyCount();
  readonly #waiting: Readonly<Record<Party, (() => void)[]>> = { operator: [], peers: [] };

  constructor(size: number) {
    this.#size = size;
  }

  /** Resolves with a place for a class; rejects with the signal's reason while it waits. */
  async take(callerClass: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const party = partyOf(callerClass);
    if (this.#taken.free(party, this.#size)) {
      this.#taken[party]++;
      return;
    }
    const waiting = this.#waiting[party];
    await new Promise<void>((resolve, reject) => {
      const enter = (): void => {
        signal.removeEventListener("abort", leave);
        resolve();
      };
      const leave = (): void => {
        waiting.splice(waiting.indexOf(enter), 1);
        reject(signal.reason);
      };
      waiting.push(enter);
      signal.addEventListener("abort", leave, { once: true });
    });
  }

  /** Gives a place of a class back. */
  leave(callerClass: string): void {
    this.#taken[partyOf(callerClass)]--;
    for (const party of ["operator", "peers"] as const) {
      while (this.#waiting[party].length > 0 && this.#taken.free(party, this.#size)) {
        this.#taken[party]++;
        this.#waiting[party].shift()?.();
      }
    }
  }
}
