import { connect, type Socket } from "node:net";

/** A request without a body, sent byte for byte. */
export interface PlainQuestion {
  readonly method: string;
  readonly path: string;
  readonly headers: { readonly [name: string]: string };
}

export interface PlainAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: { readonly [name: string]: string };
  readonly text: string;
}

interface Waiting {
  readonly method: string;
  readonly resolve: (answer: PlainAnswer) => void;
  readonly reject: (error: Error) => void;
}

const LINE_END = Buffer.from("\r\n");
const HEAD_END = Buffer.from("\r\n\r\n");
const NO_BODY = [204, 304];

/**
 * Asks over one connection, each question before the former ones are answered: for tests that ask thousands, at a quarter of the
 * processor time of `ask`. What waits is rejected where the connection ends.
 */
export class PipelinedClient implements Disposable {
  readonly #socket: Socket;
  readonly #waiting: Waiting[] = [];
  #received: Buffer = Buffer.alloc(0);
  #isCorked = false;

  constructor(port: number) {
    this.#socket = connect({ port, host: "127.0.0.1", noDelay: true });
    this.#socket.on("data", (bytes) => this.#read(bytes));
    this.#socket.on("error", (error) => this.#fail(error));
    this.#socket.on("close", () => this.#fail(new Error("the connection ended before its answers came")));
  }

  ask({ method, path, headers }: PlainQuestion): Promise<PlainAnswer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ method, resolve, reject });
      if (!this.#isCorked) {
        // What is asked in one go is written in one go.
        this.#isCorked = true;
        this.#socket.cork();
        setImmediate(() => {
          this.#isCorked = false;
          this.#socket.uncork();
        });
      }
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
      this.#socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n`, "latin1");
    });
  }

  [Symbol.dispose](): void {
    this.#socket.destroy();
  }

  #fail(error: Error): void {
    this.#socket.destroy();
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }

  #read(bytes: Buffer): void {
    const received = Buffer.concat([this.#received, bytes]);
    let at = 0;
    for (let end = received.indexOf(HEAD_END); end !== -1; end = received.indexOf(HEAD_END, at)) {
      const [first, ...lines] = received.toString("latin1", at, end).split("\r\n");
      const headers = Object.fromEntries(lines.map(fieldOf));
      const status = Number(first?.split(" ")[1]);
      const [next] = this.#waiting;
      if (next === undefined) {
        this.#fail(new Error("an answer came to no question"));
        return;
      }
      const isBare = next.method === "HEAD" || NO_BODY.includes(status);
      const body = isBare ? { text: "", end: end + HEAD_END.length } : bodyAt(received, end + HEAD_END.length, headers);
      if (body === undefined) break;
      at = body.end;
      this.#waiting.shift();
      next.resolve({ status, headers, text: body.text });
    }
    this.#received = received.subarray(at);
  }
}

function fieldOf(line: string): [name: string, value: string] {
  const colon = line.indexOf(":");
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
}

/** The body that begins there, of a length or in chunks; undefined where it is not there yet. */
function bodyAt(
  received: Buffer,
  start: number,
  headers: PlainAnswer["headers"],
): { readonly text: string; readonly end: number } | undefined {
  if (headers["transfer-encoding"] === undefined) {
    const end = start + Number(headers["content-length"] ?? 0);
    return received.length < end ? undefined : { text: received.toString("utf8", start, end), end };
  }
  const chunks: Buffer[] = [];
  for (let at = start; ; ) {
    const line = received.indexOf(LINE_END, at);
    if (line === -1) return undefined;
    const length = Number.parseInt(received.toString("latin1", at, line), 16);
    const from = line + LINE_END.length;
    at = from + length + LINE_END.length;
    if (received.length < at) return undefined;
    if (length === 0) return { text: Buffer.concat(chunks).toString("utf8"), end: at };
    chunks.push(received.subarray(from, from + length));
  }
}
