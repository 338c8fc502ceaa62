/** Changes of rows: those of one row run one after another, those of different rows beside each other. */
export class RowLocks {
  readonly #tails = new Map<string, Promise<unknown>>();

  /** Runs a change once those of the row that were asked for before are over. Rejects as it does. */
  run<T>(id: string, change: () => Promise<T>): Promise<T> {
    const done = (this.#tails.get(id) ?? Promise.resolve()).then(change);
    const tail: Promise<unknown> = done
      .catch(() => {})
      .then(() => {
        if (this.#tails.get(id) === tail) this.#tails.delete(id);
      });
    this.#tails.set(id, tail);
    return done;
  }

  /** Resolves once no change runs. */
  async idle(): Promise<void> {
    while (this.#tails.size > 0) await Promise.all(this.#tails.values());
  }
}
