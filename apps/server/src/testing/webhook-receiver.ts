import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import type { Json } from "./json.ts";

export interface ReceivedPost {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** `X-A2A-Event-Id`. */
  readonly id: string;
  readonly body: Json;
  /** The state in it, as on the wire; undefined for an artifact. */
  readonly state: string | undefined;
}

/** How it answers: a status, a redirect, silence, or a broken connection. */
export type ReceiverAnswer = number | "redirect" | "hang" | "vanish";

/** A webhook's receiver on this machine, over real sockets. */
export interface WebhookReceiver extends AsyncDisposable {
  readonly url: string;
  /** In the order of arrival, with whole bodies. */
  readonly posts: readonly ReceivedPost[];
  /** How POSTs are answered from now on. Default 200. */
  answer(how: ReceiverAnswer | ((post: ReceivedPost) => ReceiverAnswer)): void;
  /** Waits until a POST passes, past ones included. */
  until(passes: (post: ReceivedPost) => boolean): Promise<ReceivedPost>;
  /** Waits until there were as many POSTs. */
  count(posts: number): Promise<void>;
  /** The received states, in order. */
  states(): (string | undefined)[];
}

export async function webhookReceiver(): Promise<WebhookReceiver> {
  const posts: ReceivedPost[] = [];
  const watchers = new Set<() => void>();
  let decide: (post: ReceivedPost) => ReceiverAnswer = () => 200;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("error", () => {});
    request.on("end", () => {
      const body = JSON.parse(Buffer.concat(chunks).toString()) as Json;
      const state = (body.status ?? body.statusUpdate?.status)?.state as string | undefined;
      const { headers, url: path = "" } = request;
      const post: ReceivedPost = { path, headers, id: String(headers["x-a2a-event-id"]), body, state };
      posts.push(post);
      const how = decide(post);
      if (how === "vanish") request.socket.destroy();
      else if (how === "redirect") response.writeHead(307, { location: "/elsewhere" }).end();
      else if (how !== "hang") response.writeHead(how).end("{}");
      for (const look of watchers) look();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const wait = <T>(find: () => T | undefined): Promise<T> =>
    new Promise((resolve) => {
      const look = (): void => {
        const found = find();
        if (found === undefined) return;
        watchers.delete(look);
        resolve(found);
      };
      watchers.add(look);
      look();
    });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    posts,
    answer(how) {
      decide = typeof how === "function" ? how : () => how;
    },
    until: (passes) => wait(() => posts.find(passes)),
    async count(least) {
      await wait(() => (posts.length >= least ? true : undefined));
    },
    states: () => posts.map(({ state }) => state),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
