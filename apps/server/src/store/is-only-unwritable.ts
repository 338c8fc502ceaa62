import { accessSync, constants, existsSync } from "node:fs";
import { DatabaseError } from "@agent-service/agent-core/host";

/**
 * Whether a store failed to open because its file cannot be written. One that is in use, or of a newer version, holds
 * memories: another file beside it would be taken for them.
 */
export function isOnlyUnwritable(path: string, reason: unknown): boolean {
  if (!(reason instanceof DatabaseError) || reason.code !== "unwritable") return false;
  if (!existsSync(path)) return true;
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    return false;
  } catch {
    return true;
  }
}
