/** One connection to the service, over which bytes are sent unchanged. */
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { WAIT_LIMIT_MS } from "../../run/limits.ts";
import { setDeadline } from "../deadline.ts";
import { type RawResponse, ResponseParser } from "./response-parser.ts";

/** How a request is put on the wire. */
export interface Transmission {
  /** Written one after the other, each once the last is with the system. */
  readonly pieces: readonly Buffer[];
  /** Milliseconds between pieces. */
  readonly pauseMs?: number;
  /** What follows the last piece: nothing, the end of our side, or the end of everything. */
  readonly ending?: "half-close" | "destroy";
  /** The answer has no body, as for HEAD. */
  readonly bodyless?: boolean;
  /** Answers to read before the exchange is over; default 1. */
  readonly responses?: number;
  /** Looks at a stream of events that is still growing; false leaves, which closes the connection. */
  readonly onStream?: (soFar: Buffer) => boolean;
}

/** What came back. */
export interface Reception {
  readonly responses: readonly RawResponse[];
  /** The answer that was left by our own wish. */
  readonly left?: RawResponse;
  /** How it ended: whole answers, a closed connection, or our patience. */
  readonly end: "answered" | "left" | "closed" | "timeout";
  /** What is wrong with the bytes themselves. */
  readonly problem?: string;
}

/** Milliseconds an answer may take: only one that hangs takes longer, on the busiest machine. */
const DEADLINE_MS = WAIT_LIMIT_MS;

/** A connection that is opened when it is needed, and again after it was closed. */
export class HttpConnection {
  readonly #port: number;
  #socket: Socket | undefined;

  constructor(port: number) {
    this.#port = port;
  }

  close(): void {
    this.#socket?.destroy();
    this.#socket = undefined;
  }

  /** Sends a request and reads what comes. Never rejects. */
  async exchange(transmission: Transmission): Promise<Reception> {
    const reused = this.#socket !== undefined;
    const reception = await this.#attempt(transmission);
    // A connection the server closed for its age while we wrote: the request was not received.
    const stale = reused && reception.end === "closed" && reception.responses.length === 0;
    return stale && reception.problem === undefined && transmission.ending === undefined
      ? this.#attempt(transmission)
      : reception;
  }

  #open(): Socket {
    const socket = connect({ port: this.#port, host: "127.0.0.1", allowHalfOpen: true, noDelay: true });
    // Errors show as the end of the exchange; a socket without a listener would end the process.
    socket.on("error", () => {});
    const forget = (): void => {
      socket.destroy();
      if (this.#socket === socket) this.#socket = undefined;
    };
    // The server may close an unused connection.
    socket.once("end", () => setImmediate(forget));
    socket.once("close", forget);
    return socket;
  }

  async #attempt(transmission: Transmission): Promise<Reception> {
    this.#socket ??= this.#open();
    const socket = this.#socket;
    const received = read(socket, transmission);
    void write(socket, transmission);
    const reception = await received;
    const keeps = reception.end === "answered" && transmission.ending === undefined && keepsAlive(reception);
    if (!keeps) this.close();
    return reception;
  }
}

function keepsAlive({ responses }: Reception): boolean {
  const last = responses.at(-1);
  return last !== undefined && last.headers.get("connection") !== "close" && last.status !== 101;
}

async function write(socket: Socket, { pieces, pauseMs = 0, ending }: Transmission): Promise<void> {
  for (const [i, piece] of pieces.entries()) {
    if (i > 0 && pauseMs > 0) await sleep(pauseMs);
    if (socket.destroyed) return;
    await new Promise<void>((resolve) => socket.write(piece, () => resolve()));
  }
  if (ending === "half-close") socket.end();
  if (ending === "destroy") socket.destroy();
}

function read(socket: Socket, { bodyless = false, responses: wanted = 1, onStream }: Transmission): Promise<Reception> {
  return new Promise((resolve) => {
    const parser = new ResponseParser(bodyless);
    const responses: RawResponse[] = [];
    const deadline = setDeadline(DEADLINE_MS);
    deadline.signal.addEventListener("abort", () => done({ end: "timeout" }));
    socket.on("data", take);
    socket.on("end", over);
    socket.on("close", over);

    function done(how: Pick<Reception, "end" | "problem" | "left">): void {
      deadline.clear();
      socket.off("data", take);
      socket.off("end", over);
      socket.off("close", over);
      // Whatever follows on a connection that is kept belongs to no request; the next exchange would be lost.
      const tooMany = how.end === "answered" && !(parser.idle && responses.length <= wanted);
      resolve({ responses, ...how, ...(tooMany && { problem: "more answers than requests" }) });
    }
    function attempt(step: () => void): void {
      try {
        step();
      } catch (error) {
        done({ end: "closed", problem: String(error) });
      }
    }
    function take(bytes: Buffer): void {
      attempt(() => {
        responses.push(...parser.push(bytes));
        if (responses.length >= wanted) return done({ end: "answered" });
        const { head } = parser;
        if (onStream === undefined || head?.headers.get("content-type") !== "text/event-stream") return;
        const soFar = parser.bodySoFar();
        if (onStream(soFar)) return;
        const left = { ...head, body: soFar.toString("utf8") };
        done({ end: "left", left });
        socket.destroy();
      });
    }
    function over(): void {
      attempt(() => {
        const last = parser.end();
        if (last !== undefined) responses.push(last);
        done({ end: responses.length >= wanted ? "answered" : "closed" });
      });
    }
  });
}
