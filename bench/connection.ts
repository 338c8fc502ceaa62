/**
 * One keep-alive HTTP/1.1 connection over a bare socket. Node's own client costs more than what is measured here, and the
 * load shares two cores with the servers.
 */
import { createConnection, type Socket } from "node:net";

/** A whole answer. `body` holds bytes as Latin-1 characters. */
export interface Answer {
  readonly status: number;
  readonly body: string;
}

interface Waiting {
  readonly onChunk: ((chunk: string) => void) | undefined;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
}

/** One request at a time. */
export class Connection {
  readonly #socket: Socket;
  #waiting: Waiting | undefined;
  #unread = "";
  #body = "";
  #status = 0;
  /** Characters of the body that are missing, or `chunked`; undefined before the headers. */
  #missing: number | "chunked" | undefined;

  constructor(port: number) {
    this.#socket = createConnection({ port, host: "127.0.0.1", noDelay: true });
    this.#socket.setEncoding("latin1");
    this.#socket.on("data", (text: string) => {
      this.#unread += text;
      this.#read();
    });
    this.#socket.on("error", (error) => this.#fail(error));
    this.#socket.on("close", () => this.#fail(new Error("the connection was closed")));
  }

  /** Sends the bytes of one request. `onChunk` sees the body as it comes. */
  send(request: string, onChunk?: (chunk: string) => void): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting = { onChunk, resolve, reject };
      this.#socket.write(request);
    });
  }

  /** Ends it; what waits is rejected. */
  close(): void {
    this.#socket.destroy();
  }

  #fail(error: Error): void {
    this.#waiting?.reject(error);
    this.#waiting = undefined;
  }

  #read(): void {
    if (this.#missing === undefined && !this.#readHead()) return;
    const whole = this.#missing === "chunked" ? this.#readChunks() : this.#readLength();
    if (!whole) return;
    const waiting = this.#waiting;
    const answer = { status: this.#status, body: this.#body };
    this.#waiting = undefined;
    this.#body = "";
    this.#missing = undefined;
    waiting?.resolve(answer);
  }

  #readHead(): boolean {
    const end = this.#unread.indexOf("\r\n\r\n");
    if (end < 0) return false;
    const head = this.#unread.slice(0, end);
    this.#unread = this.#unread.slice(end + 4);
    this.#status = Number(head.slice(9, 12));
    const length = /\r\ncontent-length: *(\d+)/i.exec(head);
    this.#missing = length === null ? "chunked" : Number(length[1]);
    return true;
  }

  #readLength(): boolean {
    const missing = this.#missing as number;
    this.#take(this.#unread.slice(0, missing));
    this.#missing = Math.max(0, missing - this.#unread.length);
    this.#unread = this.#unread.slice(missing);
    return this.#missing === 0;
  }

  #readChunks(): boolean {
    for (let at = 0; ; ) {
      const line = this.#unread.indexOf("\r\n", at);
      const size = line < 0 ? 0 : Number.parseInt(this.#unread.slice(at, line), 16);
      const end = line + 2 + size + 2;
      if (line < 0 || this.#unread.length < end) {
        this.#unread = this.#unread.slice(at);
        return false;
      }
      if (size === 0) {
        this.#unread = this.#unread.slice(end);
        return true;
      }
      this.#take(this.#unread.slice(line + 2, line + 2 + size));
      at = end;
    }
  }

  #take(chunk: string): void {
    if (chunk === "") return;
    this.#body += chunk;
    this.#waiting?.onChunk?.(chunk);
  }
}

/** The bytes of a POST with a JSON body. */
export function post(path: string, body: unknown, bearer?: string): string {
  const text = JSON.stringify(body);
  const token = bearer === undefined ? "" : `authorization: Bearer ${bearer}\r\n`;
  const head = `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${token}content-type: application/json\r\n`;
  return `${head}content-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
}
