import { readFileSync, readlinkSync } from "node:fs";
import { hostname, uptime } from "node:os";

/** Identifies a running process well enough to check later whether it still runs. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly host: string;
  /** This start of the host and the process namespace: process ids may be compared only where it is equal. */
  readonly boot: string;
  /** When the process started, in the kernel's ticks; empty where the system does not provide it. */
  readonly started: string;
}

export function ownIdentity(): ProcessIdentity {
  return { pid: process.pid, host: hostname(), boot: ownBoot(), started: processState(process.pid).started };
}

/**
 * Whether the process has surely ended. False when it runs, and also when this process cannot find out: another host, an
 * earlier boot (whose clock decides instead), another container.
 */
export function hasSurelyEnded(identity: ProcessIdentity, self: ProcessIdentity): boolean {
  if (identity.boot === "" || identity.boot !== self.boot) return false;
  try {
    process.kill(identity.pid, 0);
  } catch (error) {
    // EPERM: it runs, under another user.
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return true;
  }
  const { state, started } = processState(identity.pid);
  if (state === "Z" || state === "X") return true;
  return started !== "" && identity.started !== "" && started !== identity.started;
}

function ownBoot(): string {
  try {
    // The namespace: process 7 of one container is not process 7 of another on the same host.
    return `${readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim()} ${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    return `${hostname()} ${Math.round((Date.now() / 1000 - uptime()) / 60)}`;
  }
}

function processState(pid: number): { state: string; started: string } {
  try {
    // "pid (name) state …": the name may hold anything, so count from the last parenthesis; the 20th is the start.
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return { state: fields[0] ?? "", started: fields[19] ?? "" };
  } catch {
    return { state: "", started: "" };
  }
}
