/** Which user of this machine a TCP connection comes from, as Linux lists it in `/proc/net/tcp` and `/proc/net/tcp6` (F15). */
import { readFile } from "node:fs/promises";
import { SocketAddress } from "node:net";
import { endianness } from "node:os";
import { canonicalAddress } from "./host-check.ts";

/** The two ends of a connection, as the socket of the service has them. */
export interface ConnectionEnds {
  readonly localAddress?: string | undefined;
  readonly localPort?: number | undefined;
  readonly remoteAddress?: string | undefined;
  readonly remotePort?: number | undefined;
}

/** The kernel's tables as it prints them. */
export type ReadSocketTables = () => Promise<readonly string[]>;

/**
 * States of a socket that somebody still has open at the client's end: established, and the two of one that was closed for
 * writing. Any other may be the socket of somebody else, who begins a connection with the same numbers.
 */
const HELD: ReadonlySet<string> = new Set(["01", "04", "05"]);
const HEADER = "  sl";

/** The tables of this process's network. A kernel without IPv6 has one. */
export async function readSocketTables(): Promise<readonly string[]> {
  const [v4, v6] = await Promise.allSettled(
    ["/proc/net/tcp", "/proc/net/tcp6"].map((path) => readFile(path, "latin1")),
  );
  return [v4, v6].flatMap((table) => (table?.status === "fulfilled" ? [table.value] : []));
}

/**
 * The user whose socket is at the other end. Undefined: no table has it, as for a connection from another machine or through
 * an address translation, or nobody has it open any more; the kernel then prints user 0.
 */
export function socketOwner(tables: readonly string[], ends: ConnectionEnds): number | undefined {
  const client = endOf(ends.remoteAddress, ends.remotePort);
  const service = endOf(ends.localAddress, ends.localPort);
  if (client === undefined || service === undefined) return undefined;
  for (const table of tables) {
    // The port narrows a table of 10,000 connections to a few rows before any address is read.
    const port = `:${hexPort(ends.remotePort as number)} `;
    for (let at = table.indexOf(port); at !== -1; at = table.indexOf(port, at + 1)) {
      const row = rowAround(table, at);
      if (row === undefined || endOfHex(row.local) !== client || endOfHex(row.remote) !== service) continue;
      if (HELD.has(row.state) && row.inode !== "0" && /^\d+$/.test(row.uid)) return Number(row.uid);
    }
  }
  return undefined;
}

/** The columns that are read, of the line around a position. */
function rowAround(table: string, at: number) {
  const start = table.lastIndexOf("\n", at) + 1;
  const end = table.indexOf("\n", at);
  const line = table.slice(start, end === -1 ? undefined : end);
  if (line.startsWith(HEADER)) return undefined;
  const [, local, remote, state, , , , uid, , inode] = line.trim().split(/\s+/);
  if (local === undefined || remote === undefined || state === undefined || uid === undefined || inode === undefined)
    return undefined;
  return { local, remote, state, uid, inode };
}

function endOf(address: string | undefined, port: number | undefined): string | undefined {
  return address === undefined || port === undefined ? undefined : `${canonicalAddress(address)} ${port}`;
}

function hexPort(port: number): string {
  return port.toString(16).toUpperCase().padStart(4, "0");
}

/** `0100007F:1EBE` as `127.0.0.1 7870`. Addresses are words of 32 bits, each in the machine's order of bytes. */
function endOfHex(text: string): string | undefined {
  const match = /^((?:[0-9A-F]{8}){1,4}):([0-9A-F]{4})$/.exec(text);
  if (match === null) return undefined;
  const [, words = "", port = ""] = match;
  const bytes = Buffer.from(words, "hex");
  if (endianness() === "LE") bytes.swap32();
  if (bytes.length === 4) return `${bytes.join(".")} ${Number.parseInt(port, 16)}`;
  if (bytes.length !== 16) return undefined;
  const groups = Array.from({ length: 8 }, (_, index) => bytes.readUInt16BE(index * 2).toString(16)).join(":");
  const { address } = new SocketAddress({ address: groups, family: "ipv6" });
  return `${canonicalAddress(address)} ${Number.parseInt(port, 16)}`;
}
