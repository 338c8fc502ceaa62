import { sleep, systemClock } from "../clock/index.ts";
import type { ProcessTable } from "./process-table.ts";

/** Milliseconds between the signal that asks and the one that ends (PR1). */
export const TERM_GRACE_MS = 2_000;
/** Milliseconds that what was killed may take to be gone: longer only where the system itself hangs. */
const KILL_WAIT_MS = 10_000;
const LOOK_AGAIN_MS = 20;

/** Sends a signal to a process, or with a negative number to a group; false: there is none. */
export function sendSignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch (error) {
    // EPERM: it exists, and belongs to another user.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Whom to end, and how it is seen that they are gone. */
export interface Ending {
  readonly graceMs: number;
  /** The ids to signal now, a group as a negative number; empty: all are gone. Asked again until then. */
  alive(): Promise<readonly number[]>;
}

/**
 * TERM, then KILL after the grace. Resolves with whether all are gone. What the system takes to end a process passes in
 * real time, whatever clock the engine runs by.
 */
export async function endProcesses({ graceMs, alive }: Ending): Promise<boolean> {
  const clock = systemClock();
  const until = async (deadline: number, signal: NodeJS.Signals, repeat: boolean): Promise<boolean> => {
    for (let first = true; ; first = false) {
      const left = await alive();
      if (left.length === 0) return true;
      if (clock.now() >= deadline) return false;
      if (first || repeat) for (const pid of left) sendSignal(pid, signal);
      await sleep(clock, LOOK_AGAIN_MS);
    }
  };
  if (await until(clock.now() + graceMs, "SIGTERM", false)) return true;
  return until(clock.now() + KILL_WAIT_MS, "SIGKILL", true);
}

/** Ends a group. */
export async function endGroup(table: ProcessTable, group: number, graceMs: number): Promise<void> {
  // Without a member the group does not exist. With one, it may be a zombie.
  const alive = async (): Promise<number[]> =>
    sendSignal(-group, 0) && (await table.inGroup(group)).length > 0 ? [-group] : [];
  await endProcesses({ graceMs, alive });
}

/** Ends what carries a marker, whatever its group: a session of its own does not lose it. `since`: see `ProcessTable`. */
export async function endMarked(
  table: ProcessTable,
  marker: string,
  { since, graceMs }: { readonly since: string | undefined; readonly graceMs: number },
): Promise<void> {
  const alive = async (): Promise<number[]> => (await table.marked(marker, since)).map(({ pid }) => pid);
  await endProcesses({ graceMs, alive });
}
