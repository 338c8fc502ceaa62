/** What a process is for: each kind has a bound of its own (F30). */
export type ProcessKind = "command" | "script" | "git" | "clone" | "server" | "check";

/** How many of a kind run at once; the others wait in order. */
export const AT_ONCE: Readonly<Record<ProcessKind, number>> = {
  ...{ command: 16, script: 8, git: 4, clone: 2, server: 64 },
  check: 8,
};

/** Places for the processes of one kind, given in order of asking. */
export class ProcessQueue {
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(places: number) {
    this.#free = places;
  }

  /** Resolves with what gives the place back. Rejects with the signal's reason when it is or gets aborted. */
  async enter(signal: AbortSignal | undefined): Promise<() => void> {
    signal?.throwIfAborted();
    if (this.#free > 0) this.#free--;
    else await this.#wait(signal);
    let left = false;
    return () => {
      if (left) return;
      left = true;
      const next = this.#waiting.shift();
      if (next === undefined) this.#free++;
      else next();
    };
  }

  #wait(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const take = (): void => {
        signal?.removeEventListener("abort", leave);
        resolve();
      };
      const leave = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(take), 1);
        reject(signal?.reason as Error);
      };
      this.#waiting.push(take);
      signal?.addEventListener("abort", leave, { once: true });
    });
  }
}
