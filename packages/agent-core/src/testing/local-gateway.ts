import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** One thing a reply does after its head: send bytes, wait for a promise, stall for good, or cut the connection. */
export type GatewayStep = string | Uint8Array | Promise<unknown> | { readonly do: "stall" | "cut" };

/** What the gateway answers to one request. */
export interface GatewayReply {
  /** Default 200. */
  readonly status?: number;
  /** Default: an event stream for 200, JSON otherwise. */
  readonly headers?: { readonly [name: string]: string };
  /** Awaited before anything is sent. */
  readonly before?: Promise<unknown>;
  /** Sent in order, each in a write of its own; then the response ends. */
  readonly steps: readonly GatewayStep[];
}

/** One request as it came in. */
export interface GatewayRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The parsed JSON body, or its text when it is not JSON. */
  readonly body: unknown;
  /** Resolves when the connection was closed before the reply was whole; never otherwise. */
  readonly cut: Promise<void>;
}

/** A reply, or what decides on one. `count` is 1 for the first request. */
export type GatewayScript = GatewayReply | ((request: GatewayRequest, count: number) => GatewayReply);

/** An OpenAI-compatible gateway on a port of this machine, for tests. */
export interface LocalGateway {
  /** What `GET` of the list of models answers from now on, without being counted as a request; null: 404, as at first. */
  list(models: readonly object[] | null): void;
  /** The same for LiteLLM's `GET /model/info`. */
  describe(models: readonly object[] | null): void;
  /** What a connection's `baseUrl` should be. */
  readonly baseUrl: string;
  /** Every request so far. */
  readonly requests: readonly GatewayRequest[];
  /** Replaces what is answered from now on. */
  answer(script: GatewayScript): void;
  /** Waits for the request with this number, 1 being the first. */
  untilRequest(count: number): Promise<GatewayRequest>;
  /** How many sockets are open. */
  connections(): Promise<number>;
  /** Ends every connection and the server. */
  close(): Promise<void>;
}

/**
 * Starts a gateway that answers by `script`. Requests for the list of models are no part of the script, unless
 * `scriptsLists` is set: a service sends them by itself.
 */
export async function localGateway(
  script: GatewayScript,
  { scriptsLists = false }: { readonly scriptsLists?: boolean } = {},
): Promise<LocalGateway> {
  let current = script;
  let listed: readonly object[] | null = null;
  let described: readonly object[] | null = null;
  const requests: GatewayRequest[] = [];
  let watchers: { readonly count: number; readonly resolve: (request: GatewayRequest) => void }[] = [];

  const server = createServer((req, res) => {
    if (!scriptsLists && req.method === "GET" && req.url?.endsWith("/models") === true) {
      res.writeHead(listed === null ? 404 : 200, { "content-type": "application/json" });
      res.end(JSON.stringify({ data: listed ?? [] }));
      return;
    }
    if (!scriptsLists && req.method === "GET" && req.url?.endsWith("/model/info") === true) {
      res.writeHead(described === null ? 404 : 200, { "content-type": "application/json" });
      res.end(JSON.stringify({ data: described ?? [] }));
      return;
    }
    const parts: Buffer[] = [];
    req.on("data", (part: Buffer) => parts.push(part));
    req.on("end", () => {
      const request: GatewayRequest = {
        path: req.url ?? "",
        headers: req.headers,
        body: parse(Buffer.concat(parts).toString("utf8")),
        cut: new Promise((resolve) => {
          res.on("close", () => {
            if (!res.writableFinished) resolve();
          });
        }),
      };
      requests.push(request);
      for (const watcher of watchers) if (watcher.count === requests.length) watcher.resolve(request);
      watchers = watchers.filter((watcher) => watcher.count > requests.length);
      const reply = typeof current === "function" ? current(request, requests.length) : current;
      // A reply's promise that rejects cuts the connection, which is how its test sees it.
      play(res, reply).catch(() => res.destroy());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;

  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requests,
    list(models) {
      listed = models;
    },
    describe(models) {
      described = models;
    },
    answer(next) {
      current = next;
    },
    untilRequest(count) {
      const known = requests[count - 1];
      if (known !== undefined) return Promise.resolve(known);
      return new Promise((resolve) => watchers.push({ count, resolve }));
    },
    connections: () =>
      new Promise((resolve, reject) => {
        server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)));
      }),
    close: () => closeServer(server),
  };
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

async function play(res: ServerResponse, reply: GatewayReply): Promise<void> {
  await reply.before;
  const status = reply.status ?? 200;
  if (res.destroyed) return;
  res.socket?.setNoDelay(true);
  res.writeHead(status, reply.headers ?? { "content-type": status === 200 ? "text/event-stream" : "application/json" });
  res.flushHeaders();
  for (const step of reply.steps) {
    if (res.destroyed) return;
    if (step instanceof Promise) await step;
    else if (typeof step === "string" || step instanceof Uint8Array) {
      // Written and handed to the kernel before the next one, so that the steps travel apart.
      await new Promise<void>((resolve) => res.write(step, () => resolve()));
      await new Promise<void>((resolve) => setImmediate(resolve));
    } else if (step.do === "cut") {
      res.destroy();
      return;
    } else return;
  }
  res.end();
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
