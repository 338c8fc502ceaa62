/** Checks and completes the Host header, before access control reads it. */
import type { IncomingMessage } from "node:http";

/**
 * True for more than one Host header (RFC 9112, 3.2: 400). Node uses the first and a proxy in front may have used the
 * last, so neither can be trusted.
 */
export function hasSeveralHosts({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  // Names and values alternate.
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!;
    if (name.length === 4 && name.toLowerCase() === "host") hosts += 1;
  }
  return hosts > 1;
}

/**
 * Gives a probe of HTTP/1.0 without Host header the address it was sent to as the name. Load balancers request `/healthz` like this;
 * other paths need a Host.
 */
export function nameHostOfProbe({ headers, httpVersion, url, socket }: IncomingMessage): void {
  if (headers.host !== undefined || httpVersion !== "1.0" || url !== "/healthz") return;
  const { localAddress, localPort, localFamily } = socket;
  headers.host = localFamily === "IPv6" ? `[${localAddress}]:${localPort}` : `${localAddress}:${localPort}`;
}
