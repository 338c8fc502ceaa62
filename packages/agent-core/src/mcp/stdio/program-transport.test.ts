import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JSONRPCMessage } from "@modelcontextprotocol/client";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { systemClock } from "../../clock/index.ts";
import { type Database, openDatabase } from "../../database/index.ts";
import { Processes } from "../../process/index.ts";
import { ProgramTransport } from "./index.ts";

/** Only a hang reaches it. */
const PATIENCE = { timeout: 60_000 };

let db: Database;
let processes: Processes;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "stdio-"));
  db = await openDatabase({ url: `file:${join(folder, "store.db")}`, owner: { name: "test" } });
  const newId = () => crypto.randomUUID();
  processes = new Processes({ db, clock: systemClock(), log: { warn() {}, debug() {} }, newId, graceMs: 100 });
});

afterAll(async () => {
  await processes.stop();
  await db.close();
});

let transports: ProgramTransport[] = [];

afterEach(async () => {
  await Promise.all(transports.map((one) => one.close()));
  transports = [];
});

/** A transport over a script of the shell, and what it reports. */
function over(script: string, command = "/bin/sh") {
  const seen = { messages: [] as JSONRPCMessage[], log: [] as string[], ends: [] as string[] };
  const transport = new ProgramTransport({
    ...{ processes, server: "one" },
    target: { command, args: ["-c", script], env: { PATH: process.env.PATH ?? "" }, cwd: folder },
    events: { onLog: (line) => void seen.log.push(line), onBroken: (reason) => void seen.ends.push(reason) },
  });
  transport.onmessage = (message) => void seen.messages.push(message);
  transport.onclose = () => void seen.ends.push("closed");
  transports.push(transport);
  return { transport, seen };
}

const ping = (id: number): JSONRPCMessage => ({ jsonrpc: "2.0", id, method: "ping", params: { text: "ä\n" } });

it("hands messages over both ways, logs its errors, and is closed once", async () => {
  const { transport, seen } = over("echo began >&2; cat");
  await transport.start();
  await Promise.all([transport.send(ping(1)), transport.send(ping(2))]);
  await expect.poll(() => [seen.messages, seen.log], PATIENCE).toEqual([[ping(1), ping(2)], ["began"]]);
  expect(transport.pid).toBeGreaterThan(0);
  await transport.close();
  await transport.close();
  expect([seen.ends, transport.pid]).toEqual([["closed"], undefined]);
  await expect(transport.send(ping(3))).rejects.toMatchObject({ code: "not_sent" });
  await expect(transport.start()).rejects.toThrow(/already/);
});

it("says of a message that its program ended, whenever that is noticed", async () => {
  const { transport, seen } = over("exit 0");
  await transport.start();
  await expect.poll(() => seen.ends, PATIENCE).toContain("closed");
  await expect(transport.send(ping(1))).rejects.toThrow("its program ended; its log has the reason");
});

it("counts lines that are no messages, logs ever fewer of them, and goes on", async () => {
  const garbage = `printf '{"jsonrpc":\\n\\n[1]\\n{"jsonrpc":"2.0"}\\n'; yes garbage | head -n 5000`;
  const { transport, seen } = over(`${garbage}; cat`);
  await transport.start();
  await transport.send(ping(1));
  await expect.poll(() => seen.messages, PATIENCE).toEqual([ping(1)]);
  expect(transport.garbage).toBe(5_003);
  expect(seen.log).toHaveLength(6);
  expect(seen.log[0]).toBe('line 1 that is no message: {"jsonrpc":');
});

it("ends the request whose answer nests too deep or holds too many values, and goes on", async () => {
  const deep = `{"jsonrpc":"2.0","id":7,"result":${"[".repeat(1_000)}${"]".repeat(1_000)}}`;
  const wide = `{"result":[${"0,".repeat(50_000)}0],"jsonrpc":"2.0","id":"b"}`;
  const without = `{"jsonrpc":"2.0","result":${"[".repeat(1_000)}${"]".repeat(1_000)}}`;
  await writeFile(join(folder, "answers"), `${deep}\n${wide}\n${without}\n`);
  const { transport, seen } = over("cat answers -");
  await transport.start();
  await transport.send(ping(1));
  await expect.poll(() => seen.messages.length, PATIENCE).toBe(3);
  const refused = (id: unknown, text: RegExp) => ({ id, error: { message: expect.stringMatching(text) } });
  expect(seen.messages).toMatchObject([refused(7, /levels deep/), refused("b", /50000 values/), ping(1)]);
  expect(seen.log).toHaveLength(3);
});

it("ends with the reason where a message is too long or the program ends", async () => {
  const { transport, seen } = over("head -c 10485761 /dev/zero; cat");
  await transport.start();
  await expect.poll(() => seen.ends, PATIENCE).toEqual(["it sent a message of more than 10 MiB", "closed"]);
  const ended = over("exit 3");
  await ended.transport.start();
  await expect.poll(() => ended.seen.ends, PATIENCE).toEqual(["the program ended with code 3", "closed"]);
});

it("that does not start says why, and one that is closed meanwhile does not start", async () => {
  const missing = over("", "no-such-program");
  await expect(missing.transport.start()).rejects.toThrow(/no program of its `command` was found/);
  const { transport, seen } = over("cat");
  const starting = transport.start();
  await transport.close();
  await starting.catch(() => {});
  expect([seen.ends, processes.running]).toEqual([["closed"], 0]);
});
