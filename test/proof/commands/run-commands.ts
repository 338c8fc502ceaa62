import { AutoApproval } from "../../../packages/agent-core/src/command-approval/index.ts";
import { ENTRIES, HARMLESS } from "./harmless.ts";
import { BROAD, hostileCommands } from "./shapes.ts";

export interface CommandReport {
  readonly shapes: number;
  /** Commands that would have run unseen. */
  readonly wronglyApproved: readonly string[];
  readonly harmless: number;
  /** Harmless commands that would have been asked about. */
  readonly asked: readonly string[];
}

/** Judges every command against the entries, and every entry that says too little against what it would let run. */
export function runCommands(entries: readonly string[] = ENTRIES): CommandReport {
  const approval = new AutoApproval(entries);
  const hostile = [...new Set(hostileCommands())];
  const byList = hostile.filter((command) => approval.match(command) !== undefined);
  const byBroad = BROAD.filter(([entry, command]) => new AutoApproval([entry]).match(command) !== undefined);
  const harmless = [...new Set(HARMLESS)];
  return {
    shapes: hostile.length + BROAD.length,
    wronglyApproved: [...byList, ...byBroad.map(([entry, command]) => `${command} (entry ${entry})`)],
    harmless: harmless.length,
    asked: harmless.filter((command) => approval.match(command) === undefined),
  };
}
