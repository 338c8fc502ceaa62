import { isIP, isIPv4, SocketAddress } from "node:net";

/** What makes a Host recognised beyond the built-in names (B28; S4). */
export interface HostNames {
  /** `A2A_PUBLIC_URL`; its host is recognised. */
  readonly publicUrl?: string | undefined;
  /** `SVC_TRUSTED_HOSTS`, split; ports in it are ignored. */
  readonly trustedHosts?: readonly string[] | undefined;
}

/** True when a request addressed to `host` (the Host header) on a socket bound to `localAddress` may be answered. */
export type HostCheck = (host: string | undefined, localAddress: string | undefined) => boolean;

/**
 * The Host check of an open instance: it keeps a web page whose name was rebound to this machine out. Recognised are
 * localhost, loopback addresses, an IP literal equal to the socket's local address, the host of the public URL and the
 * trusted hosts. Ports, case, a trailing dot and the spelling of an IPv6 address do not matter; forwarded-host headers
 * are ignored.
 */
export function createHostCheck(names: HostNames): HostCheck {
  const known = new Set(["localhost", "127.0.0.1", "::1"]);
  for (const text of [hostOfUrl(names.publicUrl), ...(names.trustedHosts ?? [])]) {
    const name = text === undefined ? undefined : hostName(text);
    if (name) known.add(name);
  }
  return (host, localAddress) => {
    const name = host === undefined ? undefined : hostName(host);
    if (name === undefined) return false;
    if (known.has(name) || isLoopbackAddress(name)) return true;
    return localAddress !== undefined && isIP(name) !== 0 && name === canonicalAddress(localAddress);
  };
}

/** The name in a Host header: lower case, without port, brackets or trailing dot; undefined when it is not one. */
export function hostName(host: string): string | undefined {
  const text = host.trim().toLowerCase();
  const bracketed = /^\[([^\]]+)\](?::\d*)?$/.exec(text);
  if (bracketed) return isIP(bracketed[1]!) === 6 ? canonicalAddress(bracketed[1]!) : undefined;
  if (isIP(text) === 6) return canonicalAddress(text);
  const name = text.replace(/:\d*$/, "").replace(/\.$/, "");
  return name !== "" && /^[^\s/?#@:[\]\\]+$/.test(name) ? name : undefined;
}

/** True for `localhost` and loopback addresses: a server bound to it is reachable from this machine only. */
export function isLoopbackHost(host: string): boolean {
  const name = hostName(host);
  return name !== undefined && (name === "localhost" || isLoopbackAddress(name));
}

function isLoopbackAddress(name: string): boolean {
  return name === "::1" || (name.startsWith("127.") && isIPv4(name));
}

/** One spelling per address: IPv6 as the system prints it, without zone; a v4-mapped one as IPv4. */
export function canonicalAddress(address: string): string {
  const plain = address.replace(/%.*$/, "").toLowerCase();
  if (isIP(plain) !== 6) return plain;
  const canonical = new SocketAddress({ address: plain, family: "ipv6" }).address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(canonical);
  return mapped ? mapped[1]! : canonical;
}

function hostOfUrl(url: string | undefined): string | undefined {
  return url !== undefined && URL.canParse(url) ? new URL(url).hostname : undefined;
}
