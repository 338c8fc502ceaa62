/**
 * Bodies in parts (`multipart/form-data`), read as they arrive: a body of tens of megabytes that is taken apart when it is whole
 * holds up everything else for as long.
 */

import { setImmediate } from "node:timers/promises";
import { Problem } from "../problem/index.ts";

/** A part; `fileName` where it is a file. */
export interface Part {
  readonly name: string;
  readonly fileName: string | undefined;
  readonly mediaType: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** What is read of a body at most. */
export interface PartLimits {
  /** Bytes of a file. */
  readonly fileBytes: number;
  /** Bytes of all other parts, and of what stands between parts. */
  readonly otherBytes: number;
}

const LINE = Buffer.from("\r\n");
const HEAD_END = Buffer.from("\r\n\r\n");
/** Bytes of the lines at the head of a part. */
const MOST_OF_HEAD = 16_384;
/** Bytes that are put together without a pause. */
const JOINED_AT_ONCE = 512 * 1024;
/** Parts of a body. */
const MOST_PARTS = 200;

/** All parts of a body. @throws Problem 400, 413; or what the body rejects with */
export async function readParts(
  contentType: string,
  body: AsyncIterable<Uint8Array>,
  limits: PartLimits,
): Promise<readonly Part[]> {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]{1,200})"|([^\s;"]{1,200}))/i.exec(contentType) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) throw malformed();
  const reader = new PartsReader(boundary, limits);
  for await (const bytes of body) reader.take(bytes);
  return reader.end();
}

type Head = Omit<Part, "bytes">;

function malformed(): Problem {
  return new Problem(400, "The body is no well-formed multipart/form-data.");
}

function large(): Problem {
  return new Problem(413, "The file, or what stands beside it, is too large.");
}

class PartsReader {
  readonly #limits: PartLimits;
  readonly #delimiter: Buffer;
  readonly #parts: (Head & { readonly chunks: readonly Buffer[] })[] = [];
  /** What was not looked at yet. It begins as if a line had ended: the first delimiter has none before it. */
  #rest: Buffer = LINE;
  #state: "before" | "delimiter" | "head" | "part" | "end" = "before";
  #head: Head | undefined;
  #chunks: Buffer[] = [];
  #partBytes = 0;
  #otherBytes = 0;

  constructor(boundary: string, limits: PartLimits) {
    this.#limits = limits;
    this.#delimiter = Buffer.from(`\r\n--${boundary}`);
  }

  take(bytes: Uint8Array): void {
    this.#rest = this.#rest.length === 0 ? Buffer.from(bytes) : Buffer.concat([this.#rest, bytes]);
    while (this.#step());
  }

  async end(): Promise<readonly Part[]> {
    if (this.#state !== "end") throw malformed();
    const parts: Part[] = [];
    for (const { chunks, ...head } of this.#parts) parts.push({ ...head, bytes: await joined(chunks) });
    return parts;
  }

  /** @returns whether there may be more to do with what there is */
  #step(): boolean {
    switch (this.#state) {
      case "before":
      case "part":
        return this.#content();
      case "delimiter":
        return this.#behindDelimiter();
      case "head":
        return this.#readHead();
      case "end":
        this.#count(this.#rest.length);
        this.#rest = Buffer.alloc(0);
        return false;
    }
  }

  /** Up to the next delimiter, of which a piece may stand at the end. */
  #content(): boolean {
    const at = this.#rest.indexOf(this.#delimiter);
    const end = at >= 0 ? at : Math.max(0, this.#rest.length - this.#delimiter.length + 1);
    this.#keep(this.#rest.subarray(0, end));
    this.#rest = this.#rest.subarray(at >= 0 ? at + this.#delimiter.length : end);
    if (at < 0) return false;
    if (this.#head !== undefined) this.#parts.push({ ...this.#head, chunks: this.#chunks });
    if (this.#parts.length > MOST_PARTS) throw large();
    [this.#head, this.#chunks, this.#partBytes, this.#state] = [undefined, [], 0, "delimiter"];
    return true;
  }

  #keep(bytes: Buffer): void {
    if (bytes.length === 0) return;
    if (this.#head?.fileName === undefined) this.#count(bytes.length);
    if (this.#head === undefined) return;
    this.#partBytes += bytes.length;
    if (this.#partBytes > this.#limits.fileBytes) throw large();
    this.#chunks.push(bytes);
  }

  #behindDelimiter(): boolean {
    if (this.#rest.length < 2) return false;
    const next = this.#rest.subarray(0, 2).toString("latin1");
    if (next !== "--" && next !== "\r\n") throw malformed();
    this.#state = next === "--" ? "end" : "head";
    if (next === "--") this.#rest = this.#rest.subarray(2);
    return true;
  }

  #readHead(): boolean {
    const at = this.#rest.indexOf(HEAD_END);
    if (at > MOST_OF_HEAD || (at < 0 && this.#rest.length > MOST_OF_HEAD)) throw malformed();
    if (at < 0) return false;
    this.#count(at);
    this.#head = headOf(this.#rest.subarray(0, at).toString("utf8"));
    this.#rest = this.#rest.subarray(at + HEAD_END.length);
    this.#state = "part";
    return true;
  }

  #count(bytes: number): void {
    this.#otherBytes += bytes;
    if (this.#otherBytes > this.#limits.otherBytes) throw large();
  }
}

/** A few at a time: to put tens of megabytes together at once holds everything else up. */
async function joined(chunks: readonly Buffer[]): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let [at, since] = [0, 0];
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
    since += chunk.length;
    if (since < JOINED_AT_ONCE) continue;
    since = 0;
    await setImmediate();
  }
  return bytes;
}

/** @throws Problem 400 where it names no field */
function headOf(text: string): Head {
  const lines = text.split("\r\n").map((line) => /^([^:\s]+):[ \t]*(.*)$/s.exec(line));
  const value = (name: string): string | undefined =>
    lines.find((line) => line?.[1]?.toLowerCase() === name)?.[2]?.trim();
  const disposition = value("content-disposition") ?? "";
  if (!/^form-data\s*;/i.test(disposition)) throw malformed();
  const name = parameterOf(disposition, "name");
  if (name === undefined) throw malformed();
  const fileName = extendedOf(disposition) ?? parameterOf(disposition, "filename");
  return { name, fileName, mediaType: value("content-type") ?? (fileName === undefined ? "" : "text/plain") };
}

/** Browsers write quotation marks and ends of lines of a name with a percent sign. */
function parameterOf(disposition: string, name: string): string | undefined {
  const [, quoted, plain] = new RegExp(`;\\s*${name}=(?:"([^"]*)"|([^\\s;"]+))`, "i").exec(disposition) ?? [];
  const found = quoted ?? plain;
  return found?.replaceAll(/%0A/gi, "\n").replaceAll(/%0D/gi, "\r").replaceAll(/%22/g, '"');
}

/** `filename*=UTF-8''a%20b.txt`. */
function extendedOf(disposition: string): string | undefined {
  const [, encoded] = /;\s*filename\*=utf-8'[^']*'([^\s;]+)/i.exec(disposition) ?? [];
  try {
    return encoded === undefined ? undefined : decodeURIComponent(encoded);
  } catch {
    throw malformed();
  }
}
