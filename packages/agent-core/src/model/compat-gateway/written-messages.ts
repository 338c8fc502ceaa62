import type { ModelMessage } from "../model-port.ts";

const FIRST_BYTES = 16 * 1024;

/**
 * The messages of a conversation as bytes of JSON, each followed by a comma. A message is written when it first comes;
 * where a list differs from the one before, what followed is forgotten. Messages are compared by identity: they never
 * change, and one that is shown differently is another object.
 */
export class WrittenMessages {
  /** Who writes: what another wrote is of no use to it. */
  readonly owner: object;
  readonly #write: (message: ModelMessage) => unknown;
  readonly #messages: ModelMessage[] = [];
  /** Where each message ends. */
  readonly #ends: number[] = [];
  #bytes = Buffer.alloc(0);

  constructor(owner: object, write: (message: ModelMessage) => unknown) {
    this.owner = owner;
    this.#write = write;
  }

  /** Bytes it takes. */
  get size(): number {
    return this.#bytes.length;
  }

  /** The first `count` messages. The bytes hold until the next call. */
  upTo(messages: readonly ModelMessage[], count: number): Buffer {
    let same = 0;
    while (same < count && this.#messages[same] === messages[same]) same++;
    if (same < count) {
      this.#messages.length = same;
      this.#ends.length = same;
      for (let i = same; i < count; i++) this.#append(messages[i]!);
    }
    return this.#bytes.subarray(0, this.#ends[count - 1] ?? 0);
  }

  #append(message: ModelMessage): void {
    const text = `${JSON.stringify(this.#write(message))},`;
    const start = this.#ends.at(-1) ?? 0;
    const end = start + Buffer.byteLength(text);
    if (end > this.#bytes.length) {
      const grown = Buffer.allocUnsafeSlow(Math.max(FIRST_BYTES, Math.ceil(end * 1.25)));
      this.#bytes.copy(grown, 0, 0, start);
      this.#bytes = grown;
    }
    this.#bytes.write(text, start);
    this.#messages.push(message);
    this.#ends.push(end);
  }
}
