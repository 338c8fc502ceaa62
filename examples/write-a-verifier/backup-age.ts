import { stat } from "node:fs/promises";
import { type AnyVerifier, defineVerifier } from "@agent-service/plugin-sdk";
import * as v from "valibot";

/** Whether a backup was written lately. */
export function backupAge(file: string): AnyVerifier {
  // #region verifier
  return defineVerifier({
    name: "backup_age",
    description: "The newest backup is at most so many hours old.",
    args: v.object({ hours: v.pipe(v.number(), v.minValue(1), v.maxValue(8_760)) }),
    async check({ hours }, { now }) {
      const { mtime } = await stat(file);
      const age = Math.floor((now().getTime() - mtime.getTime()) / 3_600_000);
      return {
        met: age <= hours,
        value: mtime.toISOString(),
        reason: `The newest backup is ${age} hours old.`,
        evidence: `${file} was written at ${mtime.toISOString()}`,
      };
    },
  });
  // #endregion verifier
}
