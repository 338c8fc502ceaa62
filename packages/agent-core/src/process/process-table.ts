/** The system's processes as this slice asks for them: who is in a group, who carries a marker, who is still the same. */
import { execFile } from "node:child_process";
import { readdir, readFile, readlink } from "node:fs/promises";
import { promisify } from "node:util";

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
  find(pid: number): Promise<SystemProcess | undefined>;
  /** The members of a group. */
  inGroup(group: number): Promise<readonly SystemProcess[]>;
  /** Those whose marker begins so. */
  marked(prefix: string): Promise<readonly SystemProcess[]>;
}

/** Entries of `/proc` read between two turns of the loop. */
const READ_AT_A_TIME = 64;

/** `pid (name) state parent group … start`; the name may hold anything, so fields count from the last parenthesis. */
function parseStat(text: string): SystemProcess | undefined {
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const [state] = fields;
  if (state === undefined || "ZXx".includes(state)) return undefined;
  return { pid: Number.parseInt(text, 10), group: Number(fields[2]), started: fields[19] ?? "" };
}

async function readOrNothing(path: string): Promise<string> {
  try {
    return await readFile(path, "latin1");
  } catch {
    // It ended meanwhile, or belongs to another user.
    return "";
  }
}

async function statOf(pid: number): Promise<SystemProcess | undefined> {
  const text = await readOrNothing(`/proc/${pid}/stat`);
  return text === "" ? undefined : parseStat(text);
}

async function allOf(keep: (pid: number) => Promise<SystemProcess | undefined>): Promise<SystemProcess[]> {
  const pids = (await readdir("/proc")).map(Number).filter((pid) => pid > 0);
  const found: SystemProcess[] = [];
  for (let from = 0; from < pids.length; from += READ_AT_A_TIME) {
    const some = await Promise.all(pids.slice(from, from + READ_AT_A_TIME).map(keep));
    found.push(...some.filter((one) => one !== undefined));
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
  find: statOf,
  inGroup: (group) =>
    allOf(async (pid) => {
      const one = await statOf(pid);
      return one?.group === group ? one : undefined;
    }),
  marked: (prefix) =>
    allOf(async (pid) => {
      const environment = await readOrNothing(`/proc/${pid}/environ`);
      return `\0${environment}`.includes(`\0${MARKER}=${prefix}`) ? statOf(pid) : undefined;
    }),
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
    find: async (pid) => (await list()).find((one) => one.pid === pid),
    inGroup: async (group) => (await list()).filter((one) => one.group === group),
    marked: async (prefix) => (await list()).filter(({ command }) => command.includes(` ${MARKER}=${prefix}`)),
  };
}

/** This machine's. */
export function systemProcesses(): ProcessTable {
  return process.platform === "linux" ? procTable : psTable(["-axEww"]);
}
