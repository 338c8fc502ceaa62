/** Lines of a stream, for a reader that the writer of them must not be able to occupy. */
import type { Readable } from "node:stream";

/** Milliseconds of the loop that lines may take at a time. */
const WORK_MS = 5;
/** Milliseconds between two such times, so that a flood takes half of the loop at most. */
const REST_MS = 5;
const LINE_FEED = 10;
const EMPTY = Buffer.alloc(0);

/** How lines are read. */
export interface LineReaderOptions {
  /** Bytes of a line without its end. */
  readonly maxBytes: number;
  /** Called with every line that has an end, without it; must not throw. The bytes are its own to keep. */
  onLine(line: Buffer): void;
  /** A line is longer. Called once; nothing is read after it. */
  onTooLong(): void;
  /** The stream ended, and its lines were handed over. What has no line end is not a line. */
  onEnd(): void;
  /** Milliseconds that only grow. Default: the machine's. */
  readonly now?: () => number;
}

/** Reads a stream line by line; reads no further while lines wait. */
export class LineReader {
  readonly #stream: Readable;
  readonly #options: LineReaderOptions;
  readonly #now: () => number;
  /** A line whose end was not read yet, in its first bytes; grows by doubling, so that pieces of a byte each cost no more. */
  #begun: Buffer = EMPTY;
  #bytes = 0;
  /** What was read and is not handed over. */
  #rest: Buffer | undefined;
  #resting: NodeJS.Timeout | undefined;
  #workUntil = 0;
  #isEnded = false;
  #isStopped = false;

  constructor(stream: Readable, options: LineReaderOptions) {
    this.#stream = stream;
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
    stream.on("data", (chunk: Buffer) => this.#take(chunk));
    stream.once("end", () => this.#end());
    stream.once("close", () => this.#end());
    stream.on("error", () => {});
  }

  /** Hands no further line over. */
  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#resting);
    this.#begun = EMPTY;
    this.#rest = undefined;
    this.#stream.destroy();
  }

  #take(chunk: Buffer): void {
    if (this.#isStopped) return;
    const now = this.#now();
    // Pieces that come one after the other count together.
    if (now > this.#workUntil + REST_MS) this.#workUntil = now + WORK_MS;
    this.#split(chunk);
  }

  #split(chunk: Buffer): void {
    let from = 0;
    for (;;) {
      const end = chunk.indexOf(LINE_FEED, from);
      const piece = chunk.subarray(from, end === -1 ? chunk.length : end);
      if (this.#bytes + piece.length > this.#options.maxBytes) {
        this.stop();
        this.#options.onTooLong();
        return;
      }
      if (end === -1) {
        if (piece.length > 0) this.#keep(piece);
        return;
      }
      from = end + 1;
      this.#options.onLine(this.#bytes === 0 ? piece : this.#join(piece));
      if (this.#isStopped) return;
      if (this.#now() < this.#workUntil) continue;
      this.#pause(chunk.subarray(from));
      return;
    }
  }

  #keep(piece: Buffer): void {
    const bytes = this.#bytes + piece.length;
    if (bytes > this.#begun.length) {
      const larger = Buffer.allocUnsafeSlow(Math.min(bytes * 2, this.#options.maxBytes));
      this.#begun.copy(larger, 0, 0, this.#bytes);
      this.#begun = larger;
    }
    piece.copy(this.#begun, this.#bytes);
    this.#bytes = bytes;
  }

  /** The line whose last piece this is. */
  #join(last: Buffer): Buffer {
    this.#keep(last);
    const line = this.#begun.subarray(0, this.#bytes);
    this.#begun = EMPTY;
    this.#bytes = 0;
    return line;
  }

  #pause(rest: Buffer): void {
    this.#rest = rest;
    this.#stream.pause();
    this.#resting = setTimeout(() => {
      this.#resting = undefined;
      this.#workUntil = this.#now() + WORK_MS;
      const waiting = this.#rest!;
      this.#rest = undefined;
      this.#split(waiting);
      if (this.#rest !== undefined || this.#isStopped) return;
      this.#stream.resume();
      if (this.#isEnded) this.#options.onEnd();
    }, REST_MS);
  }

  #end(): void {
    if (this.#isEnded || this.#isStopped) return;
    this.#isEnded = true;
    if (this.#rest === undefined) this.#options.onEnd();
  }
}
