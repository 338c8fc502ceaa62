/** Requests that begin before the loop is let go. */
const MOST = 8;

/** Lets requests begin a few at a time: making a server for each is work of this thread, and many at once would hold it. */
export class FewAtOnce {
  readonly #waiting: (() => void)[] = [];
  #begun = 0;
  #isDue = false;

  /** Settles when the next one may begin; undefined: now. */
  turn(): Promise<void> | undefined {
    if (!this.#isDue) {
      this.#isDue = true;
      setImmediate(() => this.#next());
    }
    if (this.#begun < MOST) {
      this.#begun++;
      return undefined;
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #next(): void {
    const next = this.#waiting.splice(0, MOST);
    this.#begun = next.length;
    this.#isDue = next.length > 0;
    for (const begin of next) begin();
    if (this.#isDue) setImmediate(() => this.#next());
  }
}
