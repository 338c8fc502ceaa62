/** Bytes kept of the beginning and of the end, each, where a request names none: 15,000 characters of four bytes. */
const DEFAULT_KEPT_BYTES = 60_000;

/** What a process wrote: its beginning and its end, and how much there was (PR4). Takes the same memory whatever comes. */
export class CapturedOutput {
  readonly #keptBytes: number;
  readonly #head: Buffer[] = [];
  #tail: Buffer[] = [];
  #headBytes = 0;
  #tailBytes = 0;
  #bytes = 0;

  /** Keeps `keptBytes` of the beginning, and as many of the end. */
  constructor(keptBytes = DEFAULT_KEPT_BYTES) {
    this.#keptBytes = keptBytes;
  }

  /** Bytes that were written. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Whether all of it is kept. */
  get whole(): boolean {
    return this.#bytes === this.#headBytes + this.#tailBytes;
  }

  add(chunk: Buffer): void {
    this.#bytes += chunk.length;
    const room = this.#keptBytes - this.#headBytes;
    const first = chunk.subarray(0, room);
    if (first.length > 0) {
      this.#head.push(first);
      this.#headBytes += first.length;
    }
    if (chunk.length > room) this.#keepEnd(chunk.subarray(room));
  }

  /** What is kept of the beginning; all of it where `whole`. */
  head(): Buffer {
    return Buffer.concat(this.whole ? [...this.#head, ...this.#tail] : this.#head);
  }

  /** What is kept of the end where there is a gap before it. */
  tail(): Buffer {
    return Buffer.concat(this.whole ? [] : this.#tail);
  }

  /** At most `maxChars` characters: the beginning and the end, with a line between them that says what is missing. */
  text(maxChars: number): string {
    const head = this.head().toString("utf8");
    const tail = this.tail().toString("utf8");
    if (this.whole && head.length <= maxChars) return head;
    const half = Math.floor(maxChars / 2);
    const first = head.slice(0, half);
    const last = (this.whole ? head : tail).slice(-half);
    const missing = this.#bytes - Buffer.byteLength(first) - Buffer.byteLength(last);
    return `${first}\n[… ${missing} bytes left out …]\n${last}`;
  }

  #keepEnd(chunk: Buffer): void {
    // A slice of a large chunk would hold the whole of it in memory.
    this.#tail.push(chunk.length > this.#keptBytes ? Buffer.from(chunk.subarray(-this.#keptBytes)) : chunk);
    this.#tailBytes += this.#tail.at(-1)!.length;
    while (this.#tailBytes - this.#tail[0]!.length >= this.#keptBytes) this.#tailBytes -= this.#tail.shift()!.length;
    if (this.#tailBytes <= this.#keptBytes) return;
    const over = this.#tailBytes - this.#keptBytes;
    this.#tail[0] = this.#tail[0]!.subarray(over);
    this.#tailBytes -= over;
    if (this.#tail.length > 64) this.#tail = [Buffer.concat(this.#tail)];
  }
}
