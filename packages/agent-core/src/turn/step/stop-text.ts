/**
 * Text that ends before a stop sequence (V1). The sequences are not sent to the provider: many models refuse the
 * parameter, and others would also end the text before a tool call, and with it the call.
 */
export class StopText {
  readonly #stops: readonly string[];
  /** The end of the text so far, which may be the beginning of a stop sequence. */
  #held = "";
  #cut = false;

  constructor(stops: readonly string[]) {
    this.#stops = stops;
  }

  /** A stop sequence was found; what comes after it is dropped. */
  get cut(): boolean {
    return this.#cut;
  }

  /** Takes a piece and returns the text that no stop sequence can begin in any more. */
  add(piece: string): string {
    if (this.#cut) return "";
    const text = this.#held + piece;
    const found = this.#stops.map((stop) => text.indexOf(stop)).filter((at) => at >= 0);
    if (found.length > 0) {
      this.#cut = true;
      this.#held = "";
      return text.slice(0, Math.min(...found));
    }
    const held = Math.max(...this.#stops.map((stop) => overlap(text, stop)));
    this.#held = text.slice(text.length - held);
    return text.slice(0, text.length - held);
  }

  /** The text is over: returns what was held back. */
  end(): string {
    const rest = this.#held;
    this.#held = "";
    return rest;
  }
}

/** Characters at the end of `text` that `stop` begins with, not all of it. */
function overlap(text: string, stop: string): number {
  for (let length = Math.min(text.length, stop.length - 1); length > 0; length--) {
    if (text.endsWith(stop.slice(0, length))) return length;
  }
  return 0;
}
