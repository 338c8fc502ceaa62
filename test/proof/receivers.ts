/** The webhooks' receivers of a trial: real sockets in the proof's own process, some of which behave badly. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";

import { type Lateness, watchLateness } from "./lateness.ts";

/**
 * How a receiver treats a POST. `late`: the third POST of an event is the first that it takes. `gone`: no one listens.
 */
export type Manners = "takes" | "late" | "fails" | "unknown" | "silent" | "redirects" | "vanishes" | "gone";

/** A POST as it came. */
export interface Post {
  /** Number of its connection: the service makes one per POST, so this is the order in which they were begun. */
  readonly order: number;
  /** `/<manners>/<hook>`. */
  readonly path: string;
  /** `X-A2A-Event-Id`. */
  readonly id: string;
  /** Undefined where the connection broke before it was whole. */
  body: string | undefined;
  /** It was answered with 200. */
  taken: boolean;
}

/** A moment at which somebody is told, once. */
interface Alarm {
  readonly nth: number;
  readonly side: "before" | "after";
  readonly ring: () => void;
}

/** Receivers that run. */
export interface Receivers {
  readonly lateness: Lateness;
  readonly posts: readonly Post[];
  /** Requests that are none of a webhook: somebody followed a redirect. */
  readonly strays: readonly string[];
  /** The address of a hook. */
  urlOf(manners: Manners, hook: string): string;
  /** Rings when the nth POST from now on has come, before or after it is answered. */
  alarm(alarm: Alarm | undefined): void;
  close(): Promise<void>;
}

const STATUS: { readonly [manners in Manners]?: number } = { takes: 200, fails: 500, unknown: 404 };
/** POSTs of one event that a `late` receiver refuses. */
const REFUSED_FIRST = 2;

/** Starts them. */
export async function startReceivers(): Promise<Receivers> {
  const posts: Post[] = [];
  const strays: string[] = [];
  const orders = new WeakMap<Socket, number>();
  const seen = new Map<string, number>();
  let connections = 0;
  let alarm: Alarm | undefined;
  let came = 0;
  const lateness = watchLateness();

  function answer(post: Post, manners: Manners, request: IncomingMessage, response: ServerResponse): void {
    const key = `${post.path} ${post.id}`;
    const times = (seen.get(key) ?? 0) + 1;
    seen.set(key, times);
    const status = manners === "late" ? (times > REFUSED_FIRST ? 200 : 503) : STATUS[manners];
    if (manners === "vanishes") request.socket.destroy();
    else if (manners === "redirects") response.writeHead(302, { location: "/followed" }).end();
    else if (status !== undefined) {
      post.taken = status === 200;
      response.writeHead(status).end("{}");
    }
  }

  const server = createServer((request, response) => {
    const { url: path = "", headers } = request;
    const [, manners] = path.split("/");
    if (request.method !== "POST" || path === "/followed") strays.push(`${request.method} ${path}`);
    const order = orders.get(request.socket) ?? -1;
    const post: Post = { order, path, id: String(headers["x-a2a-event-id"]), body: undefined, taken: false };
    posts.push(post);
    request.on("error", () => {});
    let text = "";
    request.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
    });
    request.on("end", () => {
      post.body = text;
      came++;
      const rings = alarm !== undefined && came >= alarm.nth ? alarm : undefined;
      if (rings !== undefined) alarm = undefined;
      if (rings?.side === "before") rings.ring();
      answer(post, manners as Manners, request, response);
      if (rings?.side === "after") rings.ring();
    });
  });
  server.on("connection", (socket) => {
    orders.set(socket, connections++);
    socket.on("error", () => {});
  });
  server.listen(0, "127.0.0.1");
  const closed = createServer().listen(0, "127.0.0.1");
  await Promise.all([once(server, "listening"), once(closed, "listening")]);
  const { port } = server.address() as AddressInfo;
  const { port: closedPort } = closed.address() as AddressInfo;
  closed.close();
  await once(closed, "close");
  return {
    posts,
    strays,
    lateness,
    urlOf: (manners, hook) => `http://127.0.0.1:${manners === "gone" ? closedPort : port}/${manners}/${hook}`,
    alarm(next) {
      alarm = next;
      came = 0;
    },
    async close() {
      lateness.stop();
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
