import { isIPv4, isIPv6 } from "node:net";
import ipaddr from "ipaddr.js";

/**
 * What W3 refuses, written out. ipaddr.js knows most of it; both must agree that an address is public, so that
 * neither a new release nor a slip here opens a range.
 */
const REFUSED_V4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
  // The metadata and agent endpoint that Azure keeps on a public address.
  "168.63.129.16/32",
] as const;

/** Inside 2000::/3; everything outside is refused as a whole (::, mapped, NAT64, fc00::/7, fe80::/9, ff00::/8 …). */
const REFUSED_V6 = [
  // IETF protocol assignments: Teredo, benchmarking, ORCHID and their like.
  "2001::/23",
  "2001:db8::/32",
  "2002::/16",
  "3fff::/20",
] as const;

const GLOBAL_UNICAST_V6 = "2000::/3";

function within(address: ipaddr.IPv4 | ipaddr.IPv6, block: string): boolean {
  return address.match(ipaddr.parseCIDR(block));
}

function isPublicV4(address: ipaddr.IPv4): boolean {
  return address.range() === "unicast" && !REFUSED_V4.some((block) => within(address, block));
}

/** The address in the second half of an ISATAP identifier (RFC 5214: `0000:5efe` or `0200:5efe` and four bytes). */
function isatapAddress({ parts }: ipaddr.IPv6): ipaddr.IPv4 | undefined {
  const [, , , , flags = 0, marker, high = 0, low = 0] = parts;
  if ((flags & 0xfdff) !== 0 || marker !== 0x5efe) return undefined;
  return new ipaddr.IPv4([high >> 8, high & 0xff, low >> 8, low & 0xff]);
}

function isPublicV6(address: ipaddr.IPv6): boolean {
  if (address.range() !== "unicast" || !within(address, GLOBAL_UNICAST_V6)) return false;
  if (REFUSED_V6.some((block) => within(address, block))) return false;
  const embedded = isatapAddress(address);
  return embedded === undefined || isPublicV4(embedded);
}

/** Whether an address is public unicast by W3. Anything that is no plain address (one with a zone id, for example) is not. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return isPublicV4(ipaddr.IPv4.parse(address));
  if (isIPv6(address) && !address.includes("%")) return isPublicV6(ipaddr.IPv6.parse(address));
  return false;
}
