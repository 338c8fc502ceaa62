/** Lines of a file, counted while it is read: of a file of any size only the page is in memory (F24). */
import { FenceRefusal, isBinary, type Located } from "@agent-service/agent-core/host";
import { type FilePage, Problem } from "@agent-service/operator-api";

const PAGE_BYTES = 2_000_000;
const PAGE_LINES = 20_000;
const LINE_CHARS = 2_000;
const CUT = "… [line truncated]";
/** Of a larger file nothing is read: its lines could not be counted in a moment. */
const MAX_BYTES = 256 * 1_048_576;
const CHUNK_BYTES = 1_048_576;
const LOOKED_AT = 8_192;
const NEW_LINE = 10;

export interface LineRange {
  /** From 1. */
  readonly start: number;
  readonly end: number;
}

/** Reads a range as it was sent. @throws Problem 400 `bad_range` */
export function checkRange(start: string | undefined, end: string | undefined): LineRange {
  const first = wholeNumber(start, 1);
  const last = wholeNumber(end, Number.MAX_SAFE_INTEGER);
  if (first < 1 || last < first) throw badRange("The lines are numbered from 1, and the first comes before the last.");
  return { start: first, end: last };
}

type Page = Omit<FilePage, "project" | "path" | "language">;

/** @throws Problem 400 `bad_range`, FenceRefusal, the signal's reason */
export async function readFilePage(located: Located, range: LineRange, signal: AbortSignal): Promise<Page> {
  const file = await located.openFile();
  try {
    const { size } = await file.stat();
    if (size > MAX_BYTES) throw new FenceRefusal("fence.too-large", "it has more than 256 MiB");
    const page = new PageCollector(range);
    const buffer = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, Math.max(size + 1, 1)));
    let read = 0;
    for (;;) {
      signal.throwIfAborted();
      const { bytesRead } = await file.read(buffer, 0, buffer.length, null);
      if (bytesRead === 0) break;
      const chunk = buffer.subarray(0, bytesRead);
      if (read === 0 && isBinary(chunk.subarray(0, LOOKED_AT)))
        return { size, line_count: 0, start: 1, end: 0, truncated: false, binary: true, text: null };
      read += bytesRead;
      if (read > MAX_BYTES) throw new FenceRefusal("fence.too-large", "it grows while it is read");
      page.add(chunk);
    }
    return { size, binary: false, ...page.end() };
  } finally {
    await file.close();
  }
}

class PageCollector {
  readonly #range: LineRange;
  readonly #lines: string[] = [];
  #bytes = 0;
  /** Of the line that is being read. */
  #number = 1;
  #parts: Buffer[] = [];
  #lineBytes = 0;
  #isOpen = false;
  #isCut = false;
  #isFull = false;
  #endsInNewLine = false;

  constructor(range: LineRange) {
    this.#range = range;
  }

  add(chunk: Buffer): void {
    for (let from = 0; from < chunk.length; ) {
      const at = chunk.indexOf(NEW_LINE, from);
      const to = at === -1 ? chunk.length : at;
      this.#take(chunk.subarray(from, to));
      if (at !== -1) this.#endLine(true);
      from = to + 1;
    }
  }

  end(): Pick<Page, "line_count" | "start" | "end" | "truncated" | "text"> {
    if (this.#isOpen) this.#endLine(false);
    const count = this.#number - 1;
    const { start } = this.#range;
    if (count === 0) return { line_count: 0, start: 1, end: 0, truncated: false, text: "" };
    if (start > count) throw badRange(`The file has only ${count} ${count === 1 ? "line" : "lines"}.`);
    const text = `${this.#lines.join("\n")}${this.#endsInNewLine ? "\n" : ""}`;
    const end = start + this.#lines.length - 1;
    return { line_count: count, start, end, truncated: this.#isFull || this.#isCut, text };
  }

  get #isWanted(): boolean {
    return this.#number >= this.#range.start && this.#number <= this.#range.end && !this.#isFull;
  }

  #take(part: Buffer): void {
    this.#isOpen = true;
    if (!this.#isWanted) return;
    // Four bytes are the most of a character; what is beyond is not shown.
    const room = LINE_CHARS * 4 + 4 - this.#lineBytes;
    if (room > 0) this.#parts.push(Buffer.from(part.subarray(0, room)));
    this.#lineBytes += part.length;
  }

  #endLine(isEnded: boolean): void {
    if (this.#isWanted) this.#keepLine(isEnded);
    this.#parts = [];
    this.#lineBytes = 0;
    this.#isOpen = false;
    this.#number++;
  }

  #keepLine(isEnded: boolean): void {
    const whole = Buffer.concat(this.#parts).toString();
    const isLong = whole.length > LINE_CHARS;
    const line = isLong ? `${whole.slice(0, LINE_CHARS).toWellFormed()}${CUT}` : whole;
    const bytes = Buffer.byteLength(line) + 1;
    if (this.#lines.length >= PAGE_LINES || this.#bytes + bytes > PAGE_BYTES) {
      this.#isFull = true;
      return;
    }
    this.#lines.push(line);
    this.#bytes += bytes;
    this.#isCut ||= isLong;
    this.#endsInNewLine = isEnded;
  }
}

function wholeNumber(sent: string | undefined, fallback: number): number {
  if (sent === undefined || sent === "") return fallback;
  if (!/^-?\d{1,15}$/.test(sent)) throw badRange("Lines are whole numbers.");
  return Number(sent);
}

function badRange(reason: string): Problem {
  return new Problem(400, { code: "bad_range", reason });
}
