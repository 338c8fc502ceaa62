/** Reads lines of a file of any size: what is before and behind them is never in memory. */
import type { FileHandle } from "node:fs/promises";

const CHUNK_BYTES = 1 << 18;
/** Bytes of the beginning by which a binary file is known. */
const LOOKED_AT = 8_192;
const NEW_LINE = 10;

export interface LineRange {
  /** From 1. */
  readonly offset: number;
  readonly limit: number;
  /** Characters of all lines together. */
  readonly maxChars: number;
  /** Characters of a line. */
  readonly maxLineChars: number;
}

export interface ReadLine {
  /** With its end. */
  readonly text: string;
  readonly isCut: boolean;
}

export type Lines =
  | { readonly kind: "binary" }
  | {
      readonly kind: "text";
      readonly lines: readonly ReadLine[];
      /** The first line behind these; undefined: there is none. */
      readonly next: number | undefined;
      /** Lines of the file, where its end was reached. */
      readonly total: number | undefined;
    };

/** Whether bytes from the beginning of a file are those of no text: a NUL, or no UTF-8. */
export function isBinary(beginning: Buffer): boolean {
  if (beginning.includes(0)) return true;
  try {
    // A character may go on behind them.
    new TextDecoder("utf-8", { fatal: true }).decode(beginning, { stream: true });
    return false;
  } catch {
    return true;
  }
}

/** @throws the signal's reason */
export async function readLines(file: FileHandle, range: LineRange, signal: AbortSignal): Promise<Lines> {
  const collector = new LineCollector(range);
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  for (let isFirst = true; ; isFirst = false) {
    signal.throwIfAborted();
    const { bytesRead } = await file.read(buffer, 0, CHUNK_BYTES, null);
    if (bytesRead === 0) return collector.end();
    const chunk = buffer.subarray(0, bytesRead);
    if (isFirst && isBinary(chunk.subarray(0, LOOKED_AT))) return { kind: "binary" };
    if (collector.add(chunk)) return collector.stopped();
  }
}

class LineCollector {
  readonly #range: LineRange;
  readonly #lines: ReadLine[] = [];
  #chars = 0;
  /** Of the line that is being read. */
  #number = 1;
  #parts: Buffer[] = [];
  #bytes = 0;
  #isOpen = false;

  constructor(range: LineRange) {
    this.#range = range;
  }

  /** Takes bytes; true: enough is read. */
  add(chunk: Buffer): boolean {
    let from = 0;
    while (from < chunk.length) {
      const at = chunk.indexOf(NEW_LINE, from);
      const to = at === -1 ? chunk.length : at + 1;
      if (this.#isFull()) return true;
      this.#take(chunk.subarray(from, to));
      if (at !== -1) this.#endLine();
      from = to;
    }
    return false;
  }

  end(): Lines {
    if (this.#isOpen) this.#endLine();
    return { kind: "text", lines: this.#lines, next: undefined, total: this.#number - 1 };
  }

  stopped(): Lines {
    return { kind: "text", lines: this.#lines, next: this.#range.offset + this.#lines.length, total: undefined };
  }

  #isFull(): boolean {
    return !this.#isOpen && (this.#lines.length >= this.#range.limit || this.#chars >= this.#range.maxChars);
  }

  #take(part: Buffer): void {
    this.#isOpen = true;
    if (this.#number < this.#range.offset) return;
    // Four bytes are the most of a character; what is beyond cannot be shown.
    const room = this.#range.maxLineChars * 4 + 2 - this.#bytes;
    if (room > 0) this.#parts.push(Buffer.from(part.subarray(0, room)));
    this.#bytes += part.length;
  }

  #endLine(): void {
    const { offset, maxLineChars } = this.#range;
    if (this.#number >= offset) {
      const text = Buffer.concat(this.#parts).toString();
      const body = text.replace(/\r?\n$/, "");
      const isCut = body.length > maxLineChars;
      this.#lines.push({ text: isCut ? body.slice(0, maxLineChars).toWellFormed() : text, isCut });
      this.#chars += Math.min(text.length, maxLineChars) + 1;
    }
    this.#parts = [];
    this.#bytes = 0;
    this.#isOpen = false;
    this.#number++;
  }
}
