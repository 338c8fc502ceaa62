/**
 * Copies of the goals for people and other programs, in the folder of `GOAL_PATH` (G1): a session's record and its plan.
 * Nothing reads them back.
 */
import { createHash } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Goal } from "@agent-service/agent-core/host";
import { writeFileAtomic } from "@agent-service/config";

export interface GoalMirrorOptions {
  /** Absolute. */
  readonly folder: string;
  /** Makes a folder with those above it. */
  readonly makeFolder: (path: string) => void;
  readonly rowOf: (goal: Goal) => object;
  readonly planOf: (goal: Goal) => string;
  readonly warn: (message: string) => void;
}

const SAFE = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$/;

/** The name of a session's files, without their ending. One that is no safe name of a file is its digest. */
export function mirrorName(session: string): string {
  return SAFE.test(session) ? session : createHash("sha256").update(session).digest("hex");
}

/** Returns a function that writes, or removes, the files of a goal soon; what comes meanwhile is one more write. */
export function goalMirror(options: GoalMirrorOptions): (goal: Goal, isGone: boolean) => void {
  const { folder, makeFolder, rowOf, planOf, warn } = options;
  const waiting = new Map<string, { readonly goal: Goal; readonly isGone: boolean }>();
  let failed = false;
  let planned = false;
  const write = (goal: Goal, isGone: boolean): void => {
    const record = join(folder, `${mirrorName(goal.context)}.json`);
    const plan = join(folder, `${mirrorName(goal.context)}.plan.md`);
    if (isGone || goal.plan === "") rmSync(plan, { force: true });
    if (isGone) {
      rmSync(record, { force: true });
      return;
    }
    makeFolder(folder);
    const how = { mode: 0o600, when: "replace" } as const;
    writeFileAtomic(record, `${JSON.stringify(rowOf(goal), null, 2)}\n`, how);
    if (goal.plan !== "") writeFileAtomic(plan, `${planOf(goal)}\n`, how);
  };
  return (goal, isGone) => {
    waiting.set(goal.context, { goal, isGone });
    if (planned) return;
    planned = true;
    setImmediate(() => {
      planned = false;
      const now = [...waiting.values()];
      waiting.clear();
      try {
        for (const one of now) write(one.goal, one.isGone);
        failed = false;
      } catch (error) {
        if (!failed) warn(`the copies of goals in ${folder} cannot be written: ${String(error)}`);
        failed = true;
      }
    });
  };
}
