/** A model's gateway that streams for a while; each delta contains the time it was sent. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { chunkEvent, endEvents } from "../../../packages/agent-core/src/testing/index.ts";

/** Its answers. */
export interface Talk {
  /** Characters it sends as fast as they are read: enough to fill every buffer between the service and a slow reader. */
  readonly floodChars: number;
  /** How long it then talks at a person's pace, in milliseconds. */
  readonly talkMs: number;
}

/** The gateway. */
export interface TalkingModel {
  /** What a connection's `base_url` should be. */
  readonly baseUrl: string;
  /** Says what the next answer holds, and when its two parts may begin. */
  next(talk: Talk, flood: Promise<void>, talking: Promise<void>): void;
  close(): void;
}

/** Milliseconds between two pieces of text. */
const PIECE_MS = 20;

/** One piece of the talk, without the time it begins with. */
const WORDS = " as it comes to mind";
const FLOOD_PIECE = "x".repeat(8 * 1024);

/** Starts it on a port of this machine. */
export async function startTalkingModel(): Promise<TalkingModel> {
  let talk: Talk = { talkMs: 0, floodChars: 0 };
  let begins: readonly [flood: Promise<void>, talking: Promise<void>] = [Promise.resolve(), Promise.resolve()];
  async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { talkMs, floodChars } = talk;
    const [flood, talking] = begins;
    const say = (content: string): Promise<void> =>
      new Promise((resolve) => void outgoing.write(chunkEvent({ content }), () => resolve()));
    incoming.resume();
    outgoing.writeHead(200, { "content-type": "text/event-stream" });
    outgoing.flushHeaders();
    await flood;
    for (let said = 0; said < floodChars; said += FLOOD_PIECE.length) await say(FLOOD_PIECE);
    await talking;
    const from = performance.now();
    for (let at = 0; at < talkMs; at += PIECE_MS) {
      await sleep(Math.max(0, from + at - performance.now()));
      await say(`@${Date.now()}@${WORDS}`);
    }
    outgoing.end(endEvents("stop"));
  }
  const server = createServer((incoming, outgoing) => void answer(incoming, outgoing));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    next(nextTalk, flood, talking) {
      talk = nextTalk;
      begins = [flood, talking];
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** When the pieces in a text were said, in milliseconds since 1970. */
export function saidAt(text: string): number[] {
  return [...text.matchAll(/@(\d{13})@/g)].map(([, at]) => Number(at));
}
