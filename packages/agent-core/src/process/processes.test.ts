import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { systemClock } from "../clock/index.ts";
import { type Database, openDatabase, readInstanceUid } from "../database/index.ts";
import { MARKER, Processes, type ProcessRequest, type ProcessTable, psTable } from "./index.ts";
import { procTable } from "./process-table.ts";

/** Only a hang reaches it. */
const PATIENCE = { timeout: 60_000 };

let db: Database;
let processes: Processes;
let folder: string;
const warnings: string[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "processes-"));
  db = await openDatabase({ url: `file:${join(folder, "store.db")}`, owner: { name: "test" } });
});

afterAll(() => db.close());

beforeEach(() => {
  warnings.length = 0;
  processes = open();
});

afterEach(() => processes.stop());

function open(graceMs = 300, table: ProcessTable = procTable): Processes {
  const log = { warn: (text: string) => void warnings.push(text) };
  return new Processes({ db, clock: systemClock(), log, newId: () => crypto.randomUUID(), graceMs, table });
}

/** A script of the shell that may take as long as only a hang does. */
function shell(script: string, more: Partial<ProcessRequest> = {}): ProcessRequest {
  const env = { PATH: process.env.PATH ?? "", HERE: folder };
  return {
    kind: "command",
    owner: "call:1",
    argv: ["/bin/sh", "-c", script],
    cwd: folder,
    env,
    timeoutMs: 60_000,
    ...more,
  };
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

function pidsOf(found: readonly { readonly pid: number }[]): readonly number[] {
  return found.map(({ pid }) => pid).sort((a, b) => a - b);
}

async function pidIn(file: string): Promise<number> {
  const path = join(folder, file);
  await expect.poll(() => existsSync(path) && readFileSync(path, "utf8"), PATIENCE).toContain("\n");
  return Number(readFileSync(path, "utf8"));
}

describe("a process (PR1)", () => {
  it("runs without a shell, a terminal or an input, in its folder, and tells how it ended", async () => {
    const end = await processes.run(shell("", { argv: ["printf", "%s", "$HOME; *"] }));
    expect([end.output.text(99), end.code, end.cause]).toEqual(["$HOME; *", 0, "exit"]);
    const asked = await processes.run(shell("cat; pwd; echo no >&2; [ -t 0 ] || echo none; exit 3"));
    expect(asked.output.text(999).split("\n").sort()).toEqual(["", folder, "no", "none"].sort());
    expect([asked.code, asked.signal]).toEqual([3, null]);
    expect(await processes.run(shell("kill -9 $$"))).toMatchObject({ code: null, signal: "SIGKILL", cause: "exit" });
  });

  it("keeps its two streams apart where that is asked for, and takes an input", async () => {
    const started = await processes.start(shell("cat; echo no >&2", { separate: true, stdin: "pipe" }));
    started.stdin!.end("given");
    const { output, errors } = await started.ended;
    expect([output.text(99), errors.text(99)]).toEqual(["given", "no\n"]);
  });

  it("that does not start says why, and leaves its place free", async () => {
    for (let n = 0; n < 20; n++) {
      await expect(processes.run(shell("", { argv: ["no-such-program"] }))).rejects.toThrow(/there is no such program/);
    }
    await expect(processes.run(shell("", { argv: ["echo", "a\0b"] }))).rejects.toThrow(/NUL/);
    await expect(processes.run(shell("", { argv: ["echo", "x".repeat(300_000)] }))).rejects.toThrow(/too long/);
    await expect(processes.run(shell("true", { cwd: join(folder, "gone") }))).rejects.toThrow(/its folder is gone/);
  });

  it("ends what it left in its group, and what left it", async () => {
    const script = "sleep 1000 & echo $! > a.pid; setsid sleep 1000 > /dev/null 2>&1 & sleep 0.1; echo $! > b.pid";
    const end = await processes.run(shell(script));
    expect(end.code).toBe(0);
    expect(isAlive(await pidIn("a.pid"))).toBe(false);
    expect(isAlive(await pidIn("b.pid"))).toBe(false);
  });

  it("that starts no others is not searched for", async () => {
    const asked: (string | undefined)[] = [];
    const marked: ProcessTable["marked"] = (prefix, since) => {
      asked.push(since);
      return procTable.marked(prefix, since);
    };
    processes = open(300, { ...procTable, marked });
    await processes.run(shell("true", { startsOthers: false }));
    expect(asked).toEqual([]);
    await processes.run(shell("true"));
    expect(asked).toEqual([expect.stringMatching(/^\d+$/)]);
  });

  it("is ended by its time, though it ignores TERM and closed its output", async () => {
    const script = "trap '' TERM; echo $$ > own.pid; exec > /dev/null 2>&1; while :; do sleep 1; done";
    const end = await processes.run(shell(script, { timeoutMs: 200 }));
    expect(end).toMatchObject({ timedOut: true, cause: "timeout", signal: "SIGKILL" });
    expect(isAlive(await pidIn("own.pid"))).toBe(false);
  });

  it("is ended by an abort, also one that came before", async () => {
    const abort = new AbortController();
    // On a busy machine the end of a process is seen late: only a hang is killed.
    processes = open(60_000);
    const started = await processes.start(shell("sleep 1000", { signal: abort.signal }));
    abort.abort();
    expect(await started.ended).toMatchObject({ cause: "aborted", signal: "SIGTERM" });
    await expect(processes.run(shell("true", { signal: AbortSignal.abort(new Error("late")) }))).rejects.toThrow(
      "late",
    );
  });

  it("is ended by the stop, with those that wait for a place, and none starts after it", async () => {
    const started = await Promise.all(Array.from({ length: 16 }, () => processes.start(shell("sleep 1000 & wait"))));
    const waiting = processes.run(shell("true"));
    const refused = expect(waiting).rejects.toThrow(/stopping/);
    await processes.stop();
    await refused;
    expect(started.map(({ pid }) => isAlive(pid))).toEqual(started.map(() => false));
    expect(processes.running).toBe(0);
    expect(await rows()).toEqual([]);
    await expect(processes.run(shell("true"))).rejects.toMatchObject({ code: "process.stopped" });
  });
});

describe("the output of a process (PR4)", () => {
  it("is bounded and slowed down where it floods, and the loop goes on", async () => {
    const sizes: number[] = [];
    const onOutput = (chunk: Buffer): void => void sizes.push(chunk.length);
    const started = await processes.start(shell("yes flood | head -c 40000000", { keptBytes: 100, onOutput }));
    const end = await started.ended;
    const seen = sizes.reduce((sum, size) => sum + size, 0);
    expect([end.output.bytes, seen, end.output.head().length, end.output.tail().length]).toEqual([
      ...[40_000_000, 40_000_000, 100, 100],
    ]);
  });
});

describe("what a former process left (PR2)", () => {
  it("has a row while it runs, and none afterwards", async () => {
    const started = await processes.start(shell("sleep 1000", { owner: "call:7" }));
    await expect.poll(rows, PATIENCE).toHaveLength(1);
    expect(await rows()).toEqual([["call:7", started.pid]]);
    started.end();
    await started.ended;
    await expect.poll(rows, PATIENCE).toEqual([]);
  });

  it("is found by its row, and by its marker without one, and is ended at the start", async () => {
    const left = async (env: NodeJS.ProcessEnv) => {
      const child = spawn("/bin/sh", ["-c", "sleep 1000 & wait"], { detached: true, stdio: "ignore", env });
      onTestFinished(() => void child.kill("SIGKILL"));
      await once(child, "spawn");
      return { pid: child.pid!, gone: once(child, "exit") };
    };
    const marked = await left({ [MARKER]: `${await readInstanceUid(db)}.x` });
    const [noted, reused, other] = [await left({}), await left({}), await left({ [MARKER]: "another-store.x" })];
    const row = async (id: string, pid: number, started: string) => {
      const args = [id, "call:1", pid, started, await procTable.boot(), 1];
      const sql = "INSERT INTO process_run (id, owner, pid, started, boot, at) VALUES (?, ?, ?, ?, ?, ?)";
      await db.commit({ label: "test", statements: [{ sql, args }] });
    };
    await row("a", noted.pid, (await procTable.find(noted.pid))!.started);
    await row("b", reused.pid, "another time");
    expect(await open().endSurvivors()).toBe(4);
    await Promise.all([marked.gone, noted.gone]);
    expect([isAlive(reused.pid), isAlive(other.pid)]).toEqual([true, true]);
    expect(await rows()).toEqual([]);
    expect(warnings).toEqual(["ended 4 processes that the former process had left running"]);
  });

  it("is seen through ps as through /proc", async () => {
    const table = psTable(["axeww"]);
    const started = await processes.start(shell("sleep 1000 & wait", { env: { PATH: "/usr/bin:/bin" } }));
    await expect.poll(() => procTable.inGroup(started.pid), PATIENCE).toHaveLength(2);
    const members = pidsOf(await procTable.inGroup(started.pid));
    expect(pidsOf(await table.inGroup(started.pid))).toEqual(members);
    const marker = `${await readInstanceUid(db)}.`;
    expect(pidsOf(await table.marked(marker))).toEqual(members);
    const { started: since } = (await procTable.find(started.pid))!;
    expect(pidsOf(await procTable.marked(marker, since))).toEqual(members);
    expect(await procTable.marked(marker, String(Number(since) + 1_000_000))).toEqual([]);
    expect((await table.find(started.pid))?.started).toMatch(/\d\d:\d\d:\d\d \d{4}$/);
    expect(await table.find(2 ** 22 + 1)).toBeUndefined();
  });
});
