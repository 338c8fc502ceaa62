import { existsSync, readFileSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { systemClock } from "../clock/index.ts";
import { type Database, openDatabase } from "../database/index.ts";
import { type LongLivedProcess, type LongLivedRequest, Processes } from "./index.ts";

/** Only a hang reaches it. */
const PATIENCE = { timeout: 60_000 };

let db: Database;
let processes: Processes;
let folder: string;
let lines: string[];
let errorLines: string[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "long-lived-"));
  db = await openDatabase({ url: `file:${join(folder, "store.db")}`, owner: { name: "test" } });
});

afterAll(() => db.close());

beforeEach(() => {
  lines = [];
  errorLines = [];
  processes = open();
});

afterEach(() => processes.stop());

function open(graceMs = 100): Processes {
  return new Processes({
    ...{ db, clock: systemClock(), log: { warn() {}, debug() {} }, newId: () => crypto.randomUUID(), graceMs },
  });
}

/** Starts a script of the shell. */
function start(script: string, more: Partial<LongLivedRequest> = {}, maxLineBytes = 1_000): Promise<LongLivedProcess> {
  return processes.startLongLived({
    ...{ owner: "mcp:one", argv: ["/bin/sh", "-c", script], cwd: folder, env: { PATH: process.env.PATH ?? "" } },
    output: {
      maxLineBytes,
      onLine: (line) => void lines.push(line.toString()),
      onErrorLines: (some) => void errorLines.push(...some),
    },
    ...more,
  });
}

async function rows(): Promise<readonly (readonly unknown[])[]> {
  return db.read({ sql: "SELECT owner, pid FROM process_run", args: [] });
}

function isAlive(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) [ZX]/s.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return false;
  }
}

async function pidIn(file: string): Promise<number> {
  const path = join(folder, file);
  await expect.poll(() => existsSync(path) && readFileSync(path, "utf8"), PATIENCE).toContain("\n");
  return Number(readFileSync(path, "utf8"));
}

it("has its row before its first input, speaks in lines, and ends when its input does (PR5)", async () => {
  const running = await start('while read -r line; do echo "got $line"; echo "log $line" >&2; done; echo bye; exit 3');
  expect(await rows()).toEqual([["mcp:one", running.pid]]);
  await running.write("a\nb");
  await running.write("c\n");
  await expect
    .poll(() => [lines, errorLines], PATIENCE)
    .toEqual([
      ["got a", "got bc"],
      ["log a", "log bc"],
    ]);
  expect(await running.stop()).toEqual({ code: 3, signal: null, cause: "stopped" });
  expect(lines.at(-1)).toBe("bye");
  await expect(running.write("d\n")).rejects.toMatchObject({ code: "process.ended" });
  await expect.poll(rows, PATIENCE).toEqual([]);
});

it("is ended with its group and with what left the group, though all of them ignore TERM", async () => {
  const stubborn = (file: string): string => `trap "" TERM; echo $$ > ${file}; while :; do sleep 1; done`;
  const other = (file: string): string => `sh -c '${stubborn(file)}'`;
  const running = await start(`${other("in.pid")} & setsid ${other("left.pid")} & ${stubborn("own.pid")}`);
  const pids = await Promise.all(["in.pid", "left.pid", "own.pid"].map(pidIn));
  expect(pids.map(isAlive)).toEqual([true, true, true]);
  expect(await running.stop()).toMatchObject({ signal: "SIGKILL", cause: "stopped" });
  expect(pids.map(isAlive)).toEqual([false, false, false]);
});

it("is ended by a line that is too long, and by closing its output, after which it could not answer", async () => {
  const long = await start("echo short; head -c 2000 /dev/zero; exec sleep 1000");
  expect(await long.ended).toMatchObject({ cause: "line-too-long", signal: "SIGTERM" });
  expect(lines).toEqual(["short"]);
  const closed = await start("exec >&-; exec sleep 1000");
  expect(await closed.ended).toMatchObject({ cause: "output-closed" });
});

it("that does not read is given no more than can wait for it, and no part of a message", async () => {
  const running = await start("exec sleep 1000");
  const half = "x".repeat(17 * 1024 * 1024);
  const first = running.write(half).catch((error: unknown) => error);
  await expect(running.write(half)).rejects.toMatchObject({ code: "process.input-full" });
  void running.stop();
  expect(await first).toMatchObject({ code: "process.input-lost" });
});

it("is ended by the stop of the service, and one that waits or comes later does not start", async () => {
  const running = await start("cat");
  await processes.stop();
  expect(await running.ended).toEqual({ code: 0, signal: null, cause: "stopped" });
  expect([processes.running, await rows()]).toEqual([0, []]);
  await expect(start("cat")).rejects.toMatchObject({ code: "process.stopped" });
});

it("that a killed service left is ended at the next start (PR2)", async () => {
  const running = await start("exec sleep 1000");
  // Time enough on a machine that is busy otherwise.
  expect(await open(30_000).endSurvivors()).toBe(1);
  expect(await running.ended).toMatchObject({ signal: "SIGTERM", cause: "exit" });
});

it("does not start, and leaves no row, where its row cannot be written or its program is missing", async () => {
  await expect(start("", { argv: ["no-such-program"] })).rejects.toThrow(/there is no such program/);
  const commit = () => Promise.reject(new Error("full"));
  const refusing = { durable: true, read: (query: Parameters<Database["read"]>[0]) => db.read(query), commit };
  const others = new Processes({
    ...{
      db: refusing as unknown as Database,
      clock: systemClock(),
      log: { warn() {}, debug() {} },
      newId: () => "x",
      graceMs: 300,
    },
  });
  const output = { maxLineBytes: 10, onLine() {}, onErrorLines() {} };
  const request = {
    owner: "mcp:one",
    argv: ["cat"],
    cwd: folder,
    env: { PATH: process.env.PATH ?? "" },
    output,
  } as const;
  await expect(others.startLongLived(request)).rejects.toThrow("full");
  expect([others.running, await rows()]).toEqual([0, []]);
});
