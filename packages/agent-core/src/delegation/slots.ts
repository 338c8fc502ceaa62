import { type Party, PartyCount, partyOf } from "../share/index.ts";

/**
 * A bounded number of slots, half of which peers may have. When none is free, callers wait, the operator's before peers',
 * in order of arrival.
 */
export class Slots {
  readonly #size: number;
  readonly #taken = new PartyCount();
  readonly #waiting: Readonly<Record<Party, (() => void)[]>> = { operator: [], peers: [] };

  constructor(size: number) {
    this.#size = size;
  }

  /** Resolves once a slot is taken for a class; rejects with the signal's reason while it waits. */
  async acquire(callerClass: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const party = partyOf(callerClass);
    if (this.#taken.free(party, this.#size)) {
      this.#taken[party]++;
      return;
    }
    const waiting = this.#waiting[party];
    await new Promise<void>((resolve, reject) => {
      const grant = (): void => {
        signal.removeEventListener("abort", onAbort);
        resolve();
      };
      const onAbort = (): void => {
        waiting.splice(waiting.indexOf(grant), 1);
        reject(signal.reason);
      };
      waiting.push(grant);
      signal.addEventListener("abort", onAbort, { once: true });
    });
  }

  release(callerClass: string): void {
    this.#taken[partyOf(callerClass)]--;
    for (const party of ["operator", "peers"] as const) {
      while (this.#waiting[party].length > 0 && this.#taken.free(party, this.#size)) {
        this.#taken[party]++;
        this.#waiting[party].shift()?.();
      }
    }
  }
}
