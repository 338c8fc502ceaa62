/** The system's processes as this slice asks for them: who is in a group, who carries a marker, who is still the same. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { readdir, readFile, readlink } from "node:fs/promises";
import { setImmediate as nextTurn } from "node:timers/promises";
import { promisify } from "node:util";
import { inParallel } from "../collection/index.ts";

/** The variable by which what the agent started is known again: `<store>.<run>` (PR2). */
export const MARKER = "AGENT_SERVICE_PROCESS";

/** A process that runs; a zombie does not. */
export interface SystemProcess {
  readonly pid: number;
  readonly group: number;
  /** When it started: with the boot it tells a process from a later one of the same id. */
  readonly started: string;
}

/** What the system knows of its processes. */
export interface ProcessTable {
  /** Of this start of the machine. */
  boot(): Promise<string>;
  /** When a child of this process started that was started in this turn of the loop; undefined where it takes a program to know. */
  startOfChild(pid: number): string | undefined;
  find(pid: number): Promise<SystemProcess | undefined>;
  /** The members of a group. */
  inGroup(group: number): Promise<readonly SystemProcess[]>;
  /** Those whose marker begins so; `since`: of those that started with the process of this start, or later. */
  marked(prefix: string, since?: string): Promise<readonly SystemProcess[]>;
}

/** Entries of `/proc` read in one turn of the loop. */
const READ_AT_A_TIME = 64;

/** `pid (name) state parent group … start`; the name may hold anything, so fields count from the last parenthesis. */
function parseStat(text: string): SystemProcess & { readonly state: string } {
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return { pid: Number.parseInt(text, 10), state: fields[0]!, group: Number(fields[2]), started: fields[19] ?? "" };
}

/**
 * Undefined: there is none. Reading this file waits for nothing, and takes a tenth of what it costs beside the loop;
 * `environ` can wait for the other process.
 */
function statOf(pid: number): ReturnType<typeof parseStat> | undefined {
  try {
    return parseStat(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return undefined;
  }
}

function liveStatOf(pid: number): SystemProcess | undefined {
  const found = statOf(pid);
  if (found === undefined || "ZXx".includes(found.state)) return undefined;
  const { group, started } = found;
  return { pid, group, started };
}

async function environmentOf(pid: number): Promise<string> {
  try {
    return await readFile(`/proc/${pid}/environ`, "latin1");
  } catch {
    // It ended meanwhile, or belongs to another user.
    return "";
  }
}

async function allWhere(keep: (one: SystemProcess) => boolean): Promise<SystemProcess[]> {
  const pids = (await readdir("/proc")).map(Number).filter((pid) => pid > 0);
  const found: SystemProcess[] = [];
  for (let from = 0; from < pids.length; from += READ_AT_A_TIME) {
    if (from > 0) await nextTurn();
    for (const pid of pids.slice(from, from + READ_AT_A_TIME)) {
      const one = liveStatOf(pid);
      if (one !== undefined && keep(one)) found.push(one);
    }
  }
  return found;
}

/** Linux, through `/proc`. */
export const procTable: ProcessTable = {
  async boot() {
    // Ids mean something within one namespace only: a container's are not those of the next.
    const [boot, namespace] = await Promise.all([
      readFile("/proc/sys/kernel/random/boot_id", "latin1"),
      readlink("/proc/self/ns/pid"),
    ]);
    return `${boot.trim()} ${namespace}`;
  },
  startOfChild: (pid) => statOf(pid)?.started,
  find: async (pid) => liveStatOf(pid),
  inGroup: (group) => allWhere((one) => one.group === group),
  async marked(prefix, since = "0") {
    const some = await allWhere(({ started }) => Number(started) >= Number(since));
    const carries = await inParallel(some, READ_AT_A_TIME, async ({ pid }) => {
      return `\0${await environmentOf(pid)}`.includes(`\0${MARKER}=${prefix}`);
    });
    return some.filter((_, index) => carries[index]);
  },
};

const runFile = promisify(execFile);

/** Elsewhere, through `ps`: `everything` are the options that list all processes with their environment. */
export function psTable(everything: readonly string[]): ProcessTable {
  const list = async (): Promise<(SystemProcess & { readonly command: string })[]> => {
    const columns = ["pid=", "pgid=", "stat=", "lstart=", "command="].flatMap((column) => ["-o", column]);
    const { stdout } = await runFile("ps", [...everything, ...columns], { maxBuffer: 64 * 1024 * 1024 });
    return stdout.split("\n").flatMap((line) => {
      const [, pid, group, state, started, command] =
        /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(\S+\s+\S+\s+\S+\s+\S+\s+\S+)\s+(.*)$/.exec(line) ?? [];
      if (pid === undefined || state?.startsWith("Z") !== false) return [];
      return [{ pid: Number(pid), group: Number(group), started: started ?? "", command: command ?? "" }];
    });
  };
  return {
    // `lstart` is a date, which is unique without the boot.
    boot: () => Promise.resolve(""),
    startOfChild: () => undefined,
    find: async (pid) => (await list()).find((one) => one.pid === pid),
    inGroup: async (group) => (await list()).filter((one) => one.group === group),
    marked: async (prefix) => (await list()).filter(({ command }) => command.includes(` ${MARKER}=${prefix}`)),
  };
}

/** This machine's. */
export function systemProcesses(): ProcessTable {
  return process.platform === "linux" ? procTable : psTable(["-axEww"]);
}
