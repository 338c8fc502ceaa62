import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A proxy that shows a service below a prefix, as the fleet does at `/agents/<slug>`. */
export interface ReverseProxy extends AsyncDisposable {
  /** Where the service's root is seen, without the slash at its end. */
  readonly url: string;
  /** Paths that were asked for outside of the prefix: what an absolute path in the console would be. */
  readonly strayed: readonly string[];
  /** Breaks every connection, and every new one until `mend`: as a page sees a lost network. */
  cut(): void;
  mend(): void;
}

/** Shows the service at `target` below `prefix` (`/agents/one`), on a port of its own. Streams pass as they come. */
export async function reverseProxy(target: string, prefix: string): Promise<ReverseProxy> {
  const strayed: string[] = [];
  const pass = (from: IncomingMessage, to: ServerResponse): void => {
    const path = from.url ?? "/";
    if (!path.startsWith(`${prefix}/`)) {
      strayed.push(path);
      to.writeHead(404).end();
      return;
    }
    const onward = request(target + path.slice(prefix.length), { method: from.method, headers: from.headers });
    onward.once("response", (answer) => {
      to.writeHead(answer.statusCode ?? 502, answer.headers);
      to.flushHeaders();
      answer.pipe(to);
    });
    onward.once("error", () => (to.headersSent ? to.destroy() : to.writeHead(502).end()));
    to.once("close", () => onward.destroy());
    from.pipe(onward);
  };
  const server = createServer(pass);
  let isCut = false;
  server.on("connection", (socket) => {
    if (isCut) socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${prefix}`,
    strayed,
    cut() {
      isCut = true;
      server.closeAllConnections();
    },
    mend() {
      isCut = false;
    },
    [Symbol.asyncDispose]: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
