/** A webhook on this machine that keeps what it is sent. */
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import type { Json } from "./speaker.ts";

/** One POST. */
export interface Received {
  readonly method: string;
  /** The path it came to: one receiver serves many webhooks. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Json;
}

/** The receiver. */
export interface WebhookReceiver extends AsyncDisposable {
  /** Its address, without a path. */
  readonly url: string;
  /** What came to a path so far, in order. */
  at(path: string): readonly Received[];
  /** What came to a path, once that passes. */
  until(path: string, passes: (received: readonly Received[]) => boolean): Promise<readonly Received[]>;
}

/** Starts one that answers everything with 204. */
export async function webhookReceiver(): Promise<WebhookReceiver> {
  const received: Received[] = [];
  const waiting = new Set<() => void>();
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      const { method = "", url: path = "", headers } = incoming;
      received.push({ method, path, headers, body: JSON.parse(Buffer.concat(chunks).toString()) as Json });
      outgoing.writeHead(204).end();
      for (const look of waiting) look();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const at = (path: string) => received.filter((one) => one.path === path);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    at,
    until: (path, passes) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (!passes(at(path))) return;
          waiting.delete(look);
          resolve(at(path));
        };
        waiting.add(look);
        look();
      }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
