/**
 * WebSocket handshakes that access control refuses (B28; S4). No path of this service is a
 * WebSocket, so handshakes are only accepted and closed again, which needs no library.
 */
import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";

/** RFC 6455, section 1.3: what a server appends to the client's key. */
const KEY_SUFFIX = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
/** RFC 6455, section 7.4.1: the endpoint's policy forbids what was asked. */
const POLICY_VIOLATION = 1008;
/** Milliseconds the peer has to answer the close. */
const CLOSE_MS = 1_000;

/**
 * True for a whole handshake of RFC 6455 version 13. Anything else that asks for an upgrade is answered as the plain
 * request it also is (RFC 9110, section 7.8).
 */
export function isWebSocketHandshake({ method, headers }: IncomingMessage): boolean {
  return (
    method === "GET" &&
    headers.upgrade?.toLowerCase() === "websocket" &&
    headers["sec-websocket-version"] === "13" &&
    // 16 bytes in base64.
    /^[A-Za-z0-9+/]{22}==$/.test(headers["sec-websocket-key"] ?? "")
  );
}

/**
 * Accepts the handshake and closes it with code 1008 at once: a client learns the code only from an accepted
 * one. Further data of the peer is dropped, and the socket is closed after a second at most.
 */
export function closeUpgrade({ headers }: IncomingMessage, socket: Duplex): void {
  const accept = createHash("sha1").update(`${headers["sec-websocket-key"]}${KEY_SUFFIX}`).digest("base64");
  const head = [
    "HTTP/1.1 101 Switching Protocols",
    "Upgrade: websocket",
    "Connection: Upgrade",
    `Sec-WebSocket-Accept: ${accept}`,
  ];
  const timer = setTimeout(() => socket.destroy(), CLOSE_MS);
  socket.on("close", () => clearTimeout(timer));
  socket.on("error", () => socket.destroy());
  socket.resume();
  socket.write(`${head.join("\r\n")}\r\n\r\n`);
  // A final close frame with two bytes: the code.
  socket.end(Buffer.from([0x88, 2, POLICY_VIOLATION >> 8, POLICY_VIOLATION & 0xff]));
}
