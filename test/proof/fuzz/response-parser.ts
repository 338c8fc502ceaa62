/** Reads HTTP/1.1 responses out of bytes: the little the fuzzer needs, written apart from the client it would trust. */

/** A response as it came. */
export interface RawResponse {
  readonly status: number;
  /** Lower-case names; several of one name are joined by ", ". */
  readonly headers: ReadonlyMap<string, string>;
  /** Decoded as UTF-8; invalid bytes show as replacement characters. */
  readonly body: string;
}

/** What is wrong with the bytes. */
export class ResponseError extends Error {
  override readonly name = "ResponseError";
  readonly code = "response-malformed";
}

interface Head {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
}

type Framing =
  | { readonly kind: "none" }
  | { readonly kind: "chunked" }
  | { readonly kind: "to-the-end" }
  | { readonly kind: "length"; left: number };

/** Parses responses from bytes. */
export class ResponseParser {
  #rest: Buffer = Buffer.alloc(0);
  #head: Head | undefined;
  #framing: Framing = { kind: "none" };
  #chunks: Buffer[] = [];
  readonly #bodyless: boolean;

  /** `bodyless`: answers to HEAD. */
  constructor(bodyless: boolean) {
    this.#bodyless = bodyless;
  }

  /** True while nothing of a response is there. */
  get idle(): boolean {
    return this.#head === undefined && this.#rest.length === 0;
  }

  /** The body of the response that is being read, as far as it has come. */
  bodySoFar(): Buffer {
    return Buffer.concat(this.#chunks);
  }

  /** The head of the response that is being read. */
  get head(): Head | undefined {
    return this.#head;
  }

  /** Adds bytes; returns what became whole. Throws `ResponseError`. */
  push(bytes: Buffer): RawResponse[] {
    this.#rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    const whole: RawResponse[] = [];
    for (;;) {
      if (this.#head === undefined && !this.#readHead()) return whole;
      if (!this.#readBody()) return whole;
      whole.push(this.#finish());
    }
  }

  /** The connection is over; the response that had no other end. Throws `ResponseError` for one that is cut off. */
  end(): RawResponse | undefined {
    if (this.idle) return undefined;
    if (this.#head === undefined) throw new ResponseError(`cut off in its head: ${this.#rest.toString("latin1")}`);
    if (this.#framing.kind !== "to-the-end") throw new ResponseError("cut off in its body");
    return this.#finish();
  }

  #finish(): RawResponse {
    const { status, headers } = this.#head as Head;
    const body = Buffer.concat(this.#chunks).toString("utf8");
    this.#head = undefined;
    this.#chunks = [];
    return { status, headers, body };
  }

  #readHead(): boolean {
    const end = this.#rest.indexOf("\r\n\r\n");
    if (end < 0) return false;
    const head = headOf(this.#rest.subarray(0, end).toString("latin1"));
    this.#rest = this.#rest.subarray(end + 4);
    // An interim answer (100, 102, 103) announces another one.
    if (head.status < 200 && head.status !== 101) return this.#readHead();
    this.#head = head;
    this.#framing = this.#framingOf(head);
    return true;
  }

  #framingOf({ status, headers }: Head): Framing {
    if (this.#bodyless || status === 204 || status === 304) return { kind: "none" };
    const length = headers.get("content-length");
    const chunked = headers.get("transfer-encoding") === "chunked";
    if (chunked && length !== undefined) throw new ResponseError("both a length and chunks");
    if (chunked) return { kind: "chunked" };
    if (length === undefined) return { kind: "to-the-end" };
    if (!/^\d+$/.test(length)) throw new ResponseError(`content-length ${length}`);
    return { kind: "length", left: Number(length) };
  }

  /** True once the body is whole. */
  #readBody(): boolean {
    const framing = this.#framing;
    if (framing.kind === "none") return true;
    if (framing.kind === "chunked") return this.#readChunks();
    const take = framing.kind === "length" ? Math.min(framing.left, this.#rest.length) : this.#rest.length;
    if (take > 0) this.#chunks.push(this.#rest.subarray(0, take));
    this.#rest = this.#rest.subarray(take);
    if (framing.kind !== "length") return false;
    framing.left -= take;
    return framing.left === 0;
  }

  #readChunks(): boolean {
    for (;;) {
      const line = this.#rest.indexOf("\r\n");
      if (line < 0) return false;
      const text = this.#rest.subarray(0, line).toString("latin1");
      if (!/^[0-9a-f]+$/i.test(text)) throw new ResponseError(`a chunk of size ${text.slice(0, 40)}`);
      const size = Number.parseInt(text, 16);
      const end = line + 2 + size + 2;
      if (this.#rest.length < end) return false;
      if (size > 0) this.#chunks.push(this.#rest.subarray(line + 2, line + 2 + size));
      this.#rest = this.#rest.subarray(end);
      if (size === 0) return true;
    }
  }
}

function headOf(text: string): Head {
  const [first = "", ...lines] = text.split("\r\n");
  const status = /^HTTP\/1\.1 (\d{3}) /.exec(`${first} `)?.[1];
  if (status === undefined) throw new ResponseError(`not a status line: ${first.slice(0, 100)}`);
  const headers = new Map<string, string>();
  for (const line of lines) {
    const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+): ?([^\0\r\n]*)$/.exec(line) ?? [];
    if (name === undefined || value === undefined) throw new ResponseError(`not a header: ${line.slice(0, 100)}`);
    const key = name.toLowerCase();
    headers.set(key, headers.has(key) ? `${headers.get(key)}, ${value}` : value);
  }
  return { status: Number(status), headers };
}
