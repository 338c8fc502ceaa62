/** Whose connection it is, read from the kernel's tables (F15). */
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { expect, it } from "vitest";
import { readSocketTables, socketOwner } from "./socket-owner.ts";

const HEADER = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode";
const row = (local: string, remote: string, { state = "01", uid = 1000, inode = "42" } = {}): string =>
  `   0: ${local} ${remote} ${state} 00000000:00000000 00:00000000 00000000  ${uid}        0 ${inode} 1 0 20 4 30 10 -1`;
const table = (...rows: string[]): string => `${[HEADER, ...rows].join("\n")}\n`;

// Addresses in the order of bytes of x86 and ARM.
const service = "0100007F:1EBE";
const client = "0100007F:D431";
const loopback6 = "00000000000000000000000001000000";
const mapped = "0000000000000000FFFF00000100007F";
const ends = { localAddress: "127.0.0.1", localPort: 7870, remoteAddress: "127.0.0.1", remotePort: 54321 };

it("names the user of the client's row, and not of the service's own", () => {
  const own = row(service, client, { uid: 33 });
  expect(socketOwner([table(own, row(client, service))], ends)).toBe(1000);
  expect(socketOwner([table(own)], ends)).toBeUndefined();
});

it.each([
  ["over IPv6", row(`${loopback6}:D431`, `${loopback6}:1EBE`), "::1", "::1"],
  ["of IPv4 on a socket of both", row(client, service), "::ffff:127.0.0.1", "::ffff:127.0.0.1"],
  ["that says IPv4 as IPv6", row(`${mapped}:D431`, `${mapped}:1EBE`), "127.0.0.1", "127.0.0.1"],
])("finds a connection %s", (_, line, localAddress, remoteAddress) => {
  const on = { ...ends, localAddress, remoteAddress };
  expect(socketOwner([table(), table(line)], on)).toBe(1000);
});

it.each([
  ["another port", row("0100007F:D432", service)],
  ["another address with these ports", row("0200007F:D431", service)],
  ["another service", row(client, "0100007F:1EBF")],
  ["a socket that nobody has open, which the kernel gives to root", row(client, service, { uid: 0, inode: "0" })],
  ["a connection that only begins", row(client, service, { state: "02" })],
  ["one that waits for its end", row(client, service, { state: "06" })],
  ["a cut line", `   0: ${client} ${service} 01`],
  ["no address", row("XYZ:D431", service)],
])("takes none from %s", (_, line) => {
  expect(socketOwner([table(line)], ends)).toBeUndefined();
});

it("takes none where there is no connection, and no table", () => {
  expect(socketOwner([table(row(client, service))], { ...ends, remotePort: undefined })).toBeUndefined();
  expect(socketOwner([], ends)).toBeUndefined();
});

it.each(["127.0.0.1", "::1"])("finds this process at the end of %s", async (host) => {
  // Other systems have no such tables.
  const expected = process.platform === "linux" ? process.geteuid?.() : undefined;
  const server = createServer().listen(0, host);
  await once(server, "listening");
  const accepted = once(server, "connection");
  const near = connect((server.address() as { port: number }).port, host);
  const [far] = (await accepted) as [Socket];
  expect(socketOwner(await readSocketTables(), far)).toBe(expected);
  near.destroy();
  far.destroy();
  server.close();
});
