import { spawn } from "node:child_process";

/** Milliseconds that the threads of the process may take to end. */
const GRACE_MS = 2_000;

/** Run in a process of its own: ends its parent, unless that has ended by itself. */
const GUARD =
  'setTimeout((pid) => process.ppid === pid && process.kill(pid, "SIGKILL"), Number(process.argv[2]), Number(process.argv[1]))';

/**
 * Ends the process with a code while work may be running. `process.exit` waits for the threads, and nothing interrupts
 * one that executes a long statement of the store: SIGKILL ends the process then, after `graceMs`.
 */
export function endProcess(code: number, graceMs: number = GRACE_MS): never {
  const args = ["-e", GUARD, String(process.pid), String(graceMs)];
  const guard = spawn(process.execPath, args, { stdio: "ignore", detached: true, env: {} });
  guard.on("error", () => {});
  process.exit(code);
}
