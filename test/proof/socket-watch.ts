import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import { type AddressInfo, isIP, Socket } from "node:net";

/** What was seen at the socket. */
export interface SocketWatch {
  /** Hosts that sockets of this process were told to connect to since the last call, as they were told. */
  attempts(): readonly string[];
  /** Connections that reached the loopback listener that must not be reached, since the beginning. */
  intrusions(): number;
  /** Where that listener is. */
  readonly trapPort: number;
  close(): Promise<void>;
}

interface ConnectOptions {
  readonly host?: string;
  readonly port?: number;
}

async function listen(listener: RequestListener, host: string): Promise<Server> {
  const server = createServer(listener).listen(0, host);
  await once(server, "listening");
  return server;
}

const isLoopback = (host: string): boolean => host === "::1" || host === "localhost" || host.startsWith("127.");

/**
 * Puts itself under `net` and `tls`: every connect of this process is noted. One to loopback is let through, to a trap
 * that counts it; any other address becomes the web server given, so that no packet leaves the machine. A name that
 * reaches this point would be resolved by the socket, which is what must never happen: it is noted like the rest.
 */
export async function watchSockets(web: RequestListener): Promise<SocketWatch> {
  const trapped = { count: 0 };
  const trap = await listen((_request, response) => response.end("inside"), "127.0.0.1");
  trap.on("connection", () => trapped.count++);
  const world = await listen(web, "127.0.0.1");
  const portOf = (server: Server): number => (server.address() as AddressInfo).port;
  const noted: string[] = [];

  const original = Socket.prototype.connect as (this: Socket, ...args: unknown[]) => Socket;
  function connect(this: Socket, ...args: unknown[]): Socket {
    // net.connect hands over an array of its own making, whose first item is the options.
    const holder = Array.isArray(args[0]) ? (args[0] as unknown[]) : args;
    const options = holder[0] as ConnectOptions;
    const host = options.host ?? "localhost";
    noted.push(host);
    const isOutside = isIP(host) !== 0 && !isLoopback(host);
    holder[0] = { ...options, host: "127.0.0.1", port: isOutside ? portOf(world) : portOf(trap) };
    return original.apply(this, args);
  }
  Socket.prototype.connect = connect as typeof Socket.prototype.connect;

  return {
    attempts: () => noted.splice(0),
    intrusions: () => trapped.count,
    trapPort: portOf(trap),
    async close() {
      Socket.prototype.connect = original as typeof Socket.prototype.connect;
      for (const server of [trap, world]) {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      }
    },
  };
}
