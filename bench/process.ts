/** Child processes and what the kernel knows of them. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";

/** A server under measurement. */
export interface Server {
  readonly pid: number;
  readonly port: number;
  /** Milliseconds from its start until it printed its address. */
  readonly startMs: number;
  /** Ends it at once and waits. */
  kill(): Promise<void>;
  /** Asks it to end and waits: what it started ends with it. */
  stop(): Promise<void>;
}

/** How a server is started. */
export interface ServerCommand {
  /** Arguments of `node`. */
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Finds the port in a line of its output. */
  readonly port: RegExp;
}

/** Starts a server; rejects with its output when it ends before it listens. */
export async function startServer({ args, env = {}, port }: ServerCommand): Promise<Server> {
  const began = performance.now();
  const { PATH, HOME, TMPDIR } = process.env;
  const child: ChildProcess = spawn(process.execPath, args, {
    env: { ...{ PATH, HOME, TMPDIR }, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const { stdout, pid = 0 } = child;
  if (stdout === null) throw new Error("a pipe was asked for");
  const lines: string[] = [];
  for await (const line of createInterface({ input: stdout })) {
    lines.push(line);
    const found = port.exec(line)?.[1];
    if (found === undefined) continue;
    const startMs = performance.now() - began;
    stdout.resume();
    const end = async (signal: NodeJS.Signals): Promise<void> => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, "exit");
      child.kill(signal);
      await exited;
    };
    return { pid, port: Number(found), startMs, kill: () => end("SIGKILL"), stop: () => end("SIGTERM") };
  }
  throw new Error(`it ended before it listened:\n${lines.join("\n")}`);
}

/** Resident memory in MB; undefined where there is no `/proc`. */
export function residentMb(pid: number): number | undefined {
  try {
    const [, kb] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return kb === undefined ? undefined : Number(kb) / 1024;
  } catch {
    return undefined;
  }
}

/** Memory that it wrote and shares with no process, in MB; undefined where there is no `/proc`. */
export function ownMb(pid: number): number | undefined {
  try {
    const [, kb] = /Private_Dirty:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8")) ?? [];
    return kb === undefined ? undefined : Number(kb) / 1024;
  } catch {
    return undefined;
  }
}

/** CPU time of all its threads so far, in milliseconds (the kernel counts in steps of 10); undefined without `/proc`. */
export function cpuMs(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return undefined;
  }
}

/** The processes that it started and that run. */
export function childrenOf(pid: number): readonly number[] {
  try {
    const lists = readdirSync(`/proc/${pid}/task`).map((id) =>
      readFileSync(`/proc/${pid}/task/${id}/children`, "utf8"),
    );
    return lists.flatMap((list) => list.split(" ").filter(Boolean).map(Number));
  } catch {
    return [];
  }
}

/** CPU time of the threads it has now, in milliseconds, to the microsecond; undefined where the system does not provide it. */
export function threadsCpuMs(pid: number): number | undefined {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    const times = threads.map((id) => Number(readFileSync(`/proc/${pid}/task/${id}/schedstat`, "utf8").split(" ")[0]));
    return times.reduce((sum, time) => sum + time, 0) / 1e6;
  } catch {
    return undefined;
  }
}
