/** Runs what concerns the same key one after the other, in the order it was asked for. */
export class KeyedLock {
  readonly #last = new Map<string, Promise<void>>();

  /** Whether something of this key runs or waits. */
  isHeld(key: string): boolean {
    return this.#last.has(key);
  }

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#last.set(key, promise);
    try {
      await before;
      return await work();
    } finally {
      if (this.#last.get(key) === promise) this.#last.delete(key);
      resolve();
    }
  }

  /** Runs once all keys are free. Whoever takes several takes them here: in one order, so no two wait for each other. */
  runAll<T>(keys: readonly string[], work: () => Promise<T>): Promise<T> {
    const [first, ...rest] = [...new Set(keys)].sort();
    return first === undefined ? work() : this.run(first, () => this.runAll(rest, work));
  }
}
