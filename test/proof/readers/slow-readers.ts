/**
 * A process full of readers that hardly read: each subscribes to the same task and takes its first event; then one half
 * takes nothing any more, the other half a little now and then. On order, a few of them read the rest.
 */
import { createHash } from "node:crypto";
import { connect, type Socket } from "node:net";

/** The orders of the process. */
export type ReadersOrder =
  | { readonly do: "subscribe"; readonly port: number; readonly taskId: string; readonly count: number }
  | { readonly do: "finish"; readonly count: number };

/** Its reports: all wait now; or, for those that were to finish, the rest of each stream after its first event. */
export type ReadersReport =
  | { readonly kind: "subscribed" }
  | { readonly kind: "finished"; readonly streams: readonly ReadStream[] };

/** A stream as it was read. */
export interface ReadStream {
  /** Number of the event it began with. */
  readonly first: string;
  /** SHA-256 of the events behind it, one line each: number, blank, data. */
  readonly digest: string;
}

/** Milliseconds between two takes of those that read a little; a take is one read from the system, 64 KiB at most. */
const TAKE_EVERY_MS = 5_000;

interface Reader {
  readonly socket: Socket;
  text: string;
  /** Reads all there is from now on. */
  finishes: boolean;
  readonly ended: Promise<void>;
}

const readers: Reader[] = [];

function report(message: ReadersReport): void {
  process.send?.(message);
}

function subscribe(port: number, taskId: string): Promise<Reader> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1");
    const ended = new Promise<void>((end) => socket.once("end", end));
    const reader: Reader = { socket, text: "", finishes: false, ended };
    socket.setEncoding("latin1");
    socket.on("error", reject);
    // One that is refused would be waited for without an end.
    void ended.then(() => reject(new Error(`a stream ended before its first event: ${reader.text}`)));
    socket.on("data", (text: string) => {
      reader.text += text;
      if (reader.finishes || !reader.text.includes("\n\n")) return;
      socket.pause();
      resolve(reader);
    });
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tasks/resubscribe", params: { id: taskId } });
    const head = [
      "POST /a2a HTTP/1.1",
      `Host: 127.0.0.1:${port}`,
      "Content-Type: application/json",
      "Connection: close",
    ];
    socket.write(`${head.join("\r\n")}\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
  });
}

/** The events of a chunked answer. */
function streamOf({ text }: Reader): ReadStream {
  const body = text.slice(text.indexOf("\r\n\r\n") + 4);
  const pieces: string[] = [];
  for (let at = 0; at < body.length; ) {
    const line = body.indexOf("\r\n", at);
    const size = Number.parseInt(body.slice(at, line), 16);
    if (!(size > 0)) break;
    pieces.push(body.slice(line + 2, line + 2 + size));
    at = line + 2 + size + 2;
  }
  const lines = pieces
    .join("")
    .split("\n\n")
    .flatMap((event) => {
      const [, id, data] = /^id: (\d+)\ndata: (.*)$/s.exec(event) ?? [];
      return id === undefined ? [] : [`${id} ${data}\n`];
    });
  const [first = "", ...rest] = lines;
  return {
    first: first.split(" ")[0] ?? "",
    digest: createHash("sha256").update(rest.join(""), "latin1").digest("hex"),
  };
}

async function finish(count: number): Promise<void> {
  const step = Math.max(1, Math.floor(readers.length / count));
  const chosen = readers.filter((_, i) => i % step === 0).slice(0, count);
  for (const reader of readers) if (!chosen.includes(reader)) reader.socket.destroy();
  for (const reader of chosen) {
    reader.finishes = true;
    reader.socket.resume();
  }
  await Promise.all(chosen.map(({ ended }) => ended));
  report({ kind: "finished", streams: chosen.map(streamOf) });
}

async function execute(order: ReadersOrder): Promise<void> {
  if (order.do === "finish") {
    clearInterval(takes);
    return finish(order.count);
  }
  for (let i = 0; i < order.count; i++) readers.push(await subscribe(order.port, order.taskId));
  report({ kind: "subscribed" });
}

process.on("message", (order: ReadersOrder) => void execute(order));
process.on("disconnect", () => process.exit(0));

const takes = setInterval(() => {
  for (const [i, { socket }] of readers.entries()) if (i % 2 === 0) socket.resume();
}, TAKE_EVERY_MS);
