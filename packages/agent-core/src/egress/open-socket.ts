import { connect, isIP, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { connect as connectTls } from "node:tls";

/** Where to connect, and as whom the other side must identify itself. */
export interface Endpoint {
  /** A checked address, never a name: nothing is resolved a second time. */
  readonly address: string;
  readonly port: number;
  /** For https: the name the certificate must be good for, and the SNI unless it is an address. */
  readonly tlsName?: string | undefined;
}

function openOne({ address, port, tlsName }: Endpoint): { readonly socket: Socket; readonly ready: string } {
  if (isIP(address) === 0) throw new TypeError("a socket is opened to an address only");
  if (tlsName === undefined) return { socket: connect({ host: address, port }), ready: "connect" };
  const servername = isIP(tlsName) === 0 ? tlsName : "";
  const socket = connectTls({ host: address, port, servername, ALPNProtocols: ["http/1.1"] });
  return { socket, ready: "secureConnect" };
}

/** Connects to one endpoint; rejects with the socket's error or the signal's reason, the socket destroyed. */
export function openSocket(endpoint: Endpoint, signal: AbortSignal): Promise<Duplex> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const { socket, ready } = openOne(endpoint);
    const onAbort = (): void => fail(signal.reason);
    function settle(): void {
      signal.removeEventListener("abort", onAbort);
      socket.removeListener("error", fail);
    }
    function fail(error: unknown): void {
      settle();
      socket.on("error", () => {});
      socket.destroy();
      reject(error);
    }
    signal.addEventListener("abort", onAbort, { once: true });
    socket.once("error", fail);
    socket.once(ready, () => {
      settle();
      resolve(socket);
    });
  });
}
