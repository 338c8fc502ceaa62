import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener, RequestError } from "@hono/node-server";
import { StartupError } from "../cli/index.ts";
import type { HttpBindings } from "./access-control.ts";
import { closeUpgrade, isWebSocketHandshake } from "./close-upgrade.ts";
import type { ErrorLog } from "./mount-routes.ts";
import { hasSeveralHosts, nameHostOfProbe } from "./named-host.ts";
import { internalError, newErrorId, problem } from "./problem.ts";

export interface ListenOptions {
  /** Answers a request; `bindings` are the Node objects behind it. */
  readonly fetch: (request: Request, bindings: HttpBindings) => Response | Promise<Response>;
  /** Address to bind, as in `--host`. */
  readonly host: string;
  /** 0 takes a free port. */
  readonly port: number;
  readonly log: ErrorLog;
  /** Whether a WebSocket handshake ends with close 1008; others are answered as plain requests. Default: none. */
  readonly refusesUpgrade?: (incoming: IncomingMessage) => boolean;
  /** Sockets at once; further connections are closed at once. Default 10,000. */
  readonly maxConnections?: number;
  /** Milliseconds a client may take to send a request, its body included; then it is 408. Default 30,000. */
  readonly requestTimeoutMs?: number;
}

export interface Listener {
  /** The port in use. */
  readonly port: number;
  /** `http://` URL of the bound address, for people; a wildcard address is shown as the loopback one. */
  readonly url: string;
  /** No new connection from now on; open ones close after the response they wait for. Idempotent. */
  stopAccepting(): void;
  /** Stops, waits at most `graceMs` for running responses, then destroys the remaining sockets. Resolves when no socket is open. */
  close(options: { readonly graceMs: number }): Promise<void>;
}

/** Bytes of a response buffered for a slow peer before its producer pauses; Node's 64 KiB count for every slow stream. */
const socketBuffer = 16 * 1024;
/** Backlog of pending connections; the kernel's own bound may be lower. */
const backlog = 4_096;

/**
 * Binds and serves. Rejects with `StartupError` when the address is in use, not this machine's or not allowed. A streamed response
 * may last as long as it likes: the timeouts bound how long a client takes to send its request.
 */
export async function listen(options: ListenOptions): Promise<Listener> {
  const fetch: ListenOptions["fetch"] = (request, bindings) => {
    const answer = options.fetch(request, bindings);
    if (!(answer instanceof Promise)) return answer;
    return answer.catch((error: unknown) => {
      // A client that left while its answer was made is no error of the service: it ends what was waited for.
      if (bindings.outgoing.destroyed) return new Response(null, { status: 499 });
      throw error;
    });
  };
  const respond = getRequestListener((request, bindings) => fetch(request, bindings as HttpBindings), {
    errorHandler: (error) => {
      if (error instanceof RequestError) return problem(400, "The request is malformed.");
      const errorId = newErrorId();
      options.log.error({ err: error, error_id: errorId }, "request failed");
      return internalError(errorId);
    },
  });
  let stopping = false;
  const requestTimeout = options.requestTimeoutMs ?? 30_000;
  const server = createServer(
    {
      headersTimeout: Math.min(20_000, requestTimeout),
      requestTimeout,
      connectionsCheckingInterval: Math.min(2_000, requestTimeout),
      keepAliveTimeout: 65_000,
      maxHeaderSize: 32_768,
      highWaterMark: socketBuffer,
      shouldUpgradeCallback: (incoming) =>
        isWebSocketHandshake(incoming) && options.refusesUpgrade?.(incoming) === true,
    },
    (incoming, outgoing) => {
      if (stopping) outgoing.shouldKeepAlive = false;
      if (hasSeveralHosts(incoming)) {
        refuse(outgoing, 400, "A request has one Host header.");
        return;
      }
      nameHostOfProbe(incoming);
      void respond(incoming, outgoing);
    },
  );
  server.on("upgrade", closeUpgrade);
  server.on("checkExpectation", (_incoming: IncomingMessage, outgoing: ServerResponse) => {
    refuse(outgoing, 417, "The only expectation this server meets is 100-continue.");
  });
  server.maxConnections = options.maxConnections ?? 10_000;
  await bind(server, options);
  const { port } = server.address() as AddressInfo;

  const closed = new Promise<void>((resolve) => server.once("close", resolve));

  const stopAccepting = (): void => {
    if (stopping) return;
    stopping = true;
    server.close();
    server.closeIdleConnections();
  };
  return {
    port,
    url: `http://${shownHost(options.host)}:${port}`,
    stopAccepting,
    async close({ graceMs }) {
      stopAccepting();
      // A connection that was busy when the server stopped becomes idle later: idle ones are closed periodically.
      const sweep = setInterval(() => server.closeIdleConnections(), 50);
      const cut = setTimeout(() => server.closeAllConnections(), graceMs);
      await closed;
      clearInterval(sweep);
      clearTimeout(cut);
    },
  };
}

/** A refusal before any route, which ends its connection. */
function refuse(outgoing: ServerResponse, status: number, detail: string): void {
  const body = JSON.stringify({ detail });
  outgoing.writeHead(status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
    connection: "close",
  });
  outgoing.end(body);
}

function bind(server: Server, options: ListenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(startupErrorOf(error, options)));
    server.listen({ port: options.port, host: options.host, backlog }, () => {
      server.removeAllListeners("error");
      // Out of file descriptors, for one: connections fail, the server must not.
      server.on("error", (error) => options.log.error({ err: error }, "accepting a connection failed"));
      resolve();
    });
  });
}

function startupErrorOf(error: NodeJS.ErrnoException, { host, port }: ListenOptions): StartupError {
  if (error.code === "EADDRINUSE") {
    return new StartupError(
      "address-in-use",
      `port ${port} on ${host} is in use: stop the program that has it, or choose another port with --port`,
      { cause: error },
    );
  }
  const reasons: Readonly<Record<string, string>> = {
    EACCES: "this user may not bind that port",
    EADDRNOTAVAIL: "no network interface of this machine has that address",
    ENOTFOUND: "the name does not resolve",
    EAI_AGAIN: "the name does not resolve",
  };
  const reason = reasons[error.code ?? ""] ?? error.message;
  return new StartupError("address-unavailable", `cannot listen on ${host} port ${port}: ${reason}`, { cause: error });
}

function shownHost(host: string): string {
  if (host === "0.0.0.0" || host === "::" || host === "") return "127.0.0.1";
  return host.includes(":") ? `[${host}]` : host;
}
