import { existsSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { isWritableFolder, makeFolder, type ServicePaths } from "@agent-service/config";
import { StartupError } from "../cli/index.ts";

/** Whether the first setup was completed (B74 `--setup`; O6). */
export interface SetupState {
  readonly complete: boolean;
  /** The configuration folder cannot be written: its owner manages it elsewhere, and setup is complete by definition. */
  readonly managed: boolean;
}

/** Looks for `.setup-complete`. */
export function readSetupState({ configDir, setupMarker }: ServicePaths): SetupState {
  const managed = !isWritableFolder(configDir);
  return { managed, complete: managed || existsSync(setupMarker) };
}

/** Takes `.setup-complete` away. Throws `StartupError` (`config-unreadable`) when it cannot. */
export function reopenSetup({ setupMarker }: ServicePaths): void {
  try {
    rmSync(setupMarker, { force: true });
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? "unknown error";
    throw new StartupError("config-unreadable", `${setupMarker}: cannot be removed (${code})`, { cause });
  }
}

/** Writes `.setup-complete`. Throws `StartupError` (`config-unreadable`) when it cannot. */
export function completeSetup({ setupMarker }: ServicePaths): void {
  try {
    makeFolder(dirname(setupMarker));
    writeFileSync(setupMarker, "", { flag: "a" });
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? "unknown error";
    throw new StartupError("config-unreadable", `${setupMarker}: cannot be written (${code})`, { cause });
  }
}
