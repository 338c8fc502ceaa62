/**
 * A process full of readers that take nothing: each sends one request and reads not a byte of its response. On order, they
 * go.
 */
import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** One request, and how often it is sent. */
export type LateReadersOrder =
  | { readonly do: "ask"; readonly port: number; readonly requests: readonly string[] }
  | { readonly do: "leave" };

const sockets: Socket[] = [];

async function ask(port: number, request: string): Promise<void> {
  const socket = connect(port, "127.0.0.1");
  // What the system takes of the answer is its own; what it does not take is the service's.
  socket.pause();
  socket.on("error", () => {});
  sockets.push(socket);
  await once(socket, "connect");
  socket.write(request);
}

async function execute(order: LateReadersOrder): Promise<void> {
  if (order.do === "ask") for (const request of order.requests) await ask(order.port, request);
  else for (const socket of sockets.splice(0)) socket.destroy();
  process.send?.({ kind: "done" });
}

process.on("message", (order: LateReadersOrder) => void execute(order));
process.on("disconnect", () => process.exit(0));
