import type { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";

/** Lines of one piece that are handed over: a reader keeps no more of them. */
const MOST_LINES = 200;
/** Characters of a line; the rest of it is left out. */
const LINE_CHARS = 2_000;
/** Milliseconds between two pieces, so that a flood takes a small part of the loop. */
const REST_MS = 5;

/** Reads what a program writes to its standard error, in lines, for a log that keeps the last ones (M15). */
export class ErrorLines {
  /** Resolves when the stream has ended. */
  readonly ended: Promise<void>;
  readonly #stream: Readable;
  readonly #onLines: (lines: readonly string[]) => void;
  readonly #decoder = new StringDecoder("utf8");
  #begun = "";

  constructor(stream: Readable, onLines: (lines: readonly string[]) => void) {
    this.#stream = stream;
    this.#onLines = onLines;
    stream.on("data", (chunk: Buffer) => this.#take(chunk));
    stream.on("error", () => {});
    this.ended = new Promise((resolve) => {
      stream.once("close", () => {
        if (this.#begun !== "") onLines([this.#begun]);
        resolve();
      });
    });
  }

  #take(chunk: Buffer): void {
    const lines = (this.#begun + this.#decoder.write(chunk)).split("\n");
    this.#begun = lines.pop()!.slice(0, LINE_CHARS);
    if (lines.length > 0) this.#onLines(lines.slice(-MOST_LINES).map((line) => line.trimEnd().slice(0, LINE_CHARS)));
    this.#stream.pause();
    setTimeout(() => this.#stream.resume(), REST_MS);
  }
}
