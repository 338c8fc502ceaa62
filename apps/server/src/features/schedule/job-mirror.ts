/** A copy of the jobs for people and other programs, `jobs.json` in the folder of `SCHEDULER_DB_DIR` (G1). Nothing reads it back. */
import { randomUUID } from "node:crypto";
import { rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

export interface JobMirrorOptions<Jobs> {
  /** Absolute. */
  readonly folder: string;
  /** Makes a folder with those above it. */
  readonly makeFolder: (path: string) => void;
  readonly rows: (jobs: Jobs) => readonly object[];
  readonly warn: (message: string) => void;
}

/** Returns a function that writes the file soon; calls that come meanwhile are one more write. */
export function jobMirror<Jobs>({ folder, makeFolder, rows, warn }: JobMirrorOptions<Jobs>): (jobs: Jobs) => void {
  let writing = false;
  let again = false;
  let failed = false;
  const write = async (jobs: Jobs): Promise<void> => {
    const target = join(folder, "jobs.json");
    const beside = `${target}.${randomUUID().slice(0, 8)}`;
    try {
      makeFolder(folder);
      await writeFile(beside, `${JSON.stringify({ jobs: rows(jobs) }, null, 2)}\n`, { mode: 0o600 });
      await rename(beside, target);
      failed = false;
    } catch (error) {
      await rm(beside, { force: true }).catch(() => {});
      if (!failed) warn(`the copy of the scheduled jobs in ${folder} cannot be written: ${String(error)}`);
      failed = true;
    }
  };
  return (jobs) => {
    again = true;
    if (writing) return;
    writing = true;
    void (async () => {
      while (again) {
        again = false;
        await write(jobs);
      }
      writing = false;
    })();
  };
}
