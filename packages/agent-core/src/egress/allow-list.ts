import { BlockList, isIP } from "node:net";
import { EgressConfigError } from "./egress-error.ts";
import { plainHost } from "./parse-target.ts";

/** What an operator allows beyond the public internet. */
export interface AllowList {
  /** Whether this host (in `plainHost` form) was named: it is not checked any further. */
  hasHost(host: string): boolean;
  /** Whether this address lies in an allowed block. */
  hasAddress(address: string): boolean;
}

function readHost(entry: string): string {
  const text = entry.trim();
  const url = isIP(text) === 6 ? URL.parse(`http://[${text}]/`) : URL.parse(`http://${text}/`);
  const isBare = isIP(text) === 6 || /^\[[^\]]*\]$/.test(text) || !/[*\s:/?#@\\%[\]]/.test(text);
  const host = url === null || !isBare ? "" : plainHost(url.hostname);
  if (host === "") {
    throw new EgressConfigError(
      `${JSON.stringify(entry.slice(0, 200))} is not a host name: write it without scheme, port, path or wildcard`,
    );
  }
  return host;
}

function readBlock(entry: string): { readonly address: string; readonly prefix: number; readonly family: 4 | 6 } {
  const [address = "", length, ...rest] = entry.trim().split("/");
  const family = isIP(address);
  const bits = family === 4 ? 32 : 128;
  const prefix = length === undefined ? bits : /^\d{1,3}$/.test(length) ? Number(length) : Number.NaN;
  if ((family !== 4 && family !== 6) || address.includes("%") || rest.length > 0 || !(prefix <= bits)) {
    throw new EgressConfigError(
      `${JSON.stringify(entry.slice(0, 200))} is not a block such as 10.1.0.0/16 or fd00::/8`,
    );
  }
  return { address, prefix, family };
}

const nonBlank = (entries: readonly string[]): readonly string[] => entries.filter((entry) => entry.trim() !== "");

/** Reads the lists; blank entries count as none. @throws EgressConfigError */
export function readAllowList(hosts: readonly string[], cidrs: readonly string[]): AllowList {
  const named = new Set(nonBlank(hosts).map(readHost));
  const four = new BlockList();
  const six = new BlockList();
  for (const { address, prefix, family } of nonBlank(cidrs).map(readBlock)) {
    if (family === 4) four.addSubnet(address, prefix, "ipv4");
    else six.addSubnet(address, prefix, "ipv6");
  }
  return {
    hasHost: (host) => named.has(host),
    // One list per family: a block of one family must never open an address of the other that embeds it.
    hasAddress(address) {
      const family = address.includes("%") ? 0 : isIP(address);
      return family === 4 ? four.check(address, "ipv4") : family === 6 && six.check(address, "ipv6");
    },
  };
}
