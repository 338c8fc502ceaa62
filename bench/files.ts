/**
 * `pnpm bench:files [--only case,case] [--rounds N]`: how long the agent's hands take (files, commands, scripts), each beside
 * what it must do at least, in turns; the medians count. One file of `files/` is one case. It prints how much slower the
 * machine is now than the one of the bounds, holds the bounds of `docs/performance.md`, times × that factor, and fails
 * where one is broken.
 */
import { parseArgs } from "node:util";
import type { Bound } from "./bounds.ts";
import { holdBounds } from "./bounds.ts";
import { calibrate, calibrationLine, slower } from "./calibration.ts";
import type { FilesCase } from "./files/case.ts";
import { changeList } from "./files/change-list.ts";
import { commandChanges } from "./files/command-changes.ts";
import { commands } from "./files/commands.ts";
import { diffs } from "./files/diffs.ts";
import { edits } from "./files/edits.ts";
import { idleMemory } from "./files/idle-memory.ts";
import { scripts } from "./files/scripts.ts";
import { searches } from "./files/searches.ts";
import { stalls } from "./files/stalls.ts";
import { undo } from "./files/undo.ts";

const CASES: readonly FilesCase[] = [
  ...[searches, edits, commands, commandChanges, diffs, scripts, undo],
  ...[changeList, stalls, idleMemory],
];

const { values } = parseArgs({
  options: { only: { type: "string" }, rounds: { type: "string", default: "9" } },
});
const only = values.only?.split(",");
const unknown = only?.filter((name) => !CASES.some((one) => one.name === name)) ?? [];
if (unknown.length > 0)
  throw new Error(`there is no case ${unknown.join(", ")}: ${CASES.map(({ name }) => name).join(", ")}`);
const rounds = Number(values.rounds);

/** A case with the slower of the moments before and after it. */
const held: { readonly bounds: readonly Bound[]; readonly factor: number }[] = [];
let before = await calibrate();
for (const one of CASES.filter(({ name }) => only?.includes(name) ?? true)) {
  console.log(`\n${one.name}`);
  const bounds = await one.run({ rounds });
  const after = await calibrate();
  const calibration = slower(before, after);
  console.log(`  ${calibrationLine(calibration)}`);
  held.push({ bounds, factor: calibration.factor });
  before = after;
}
console.log("");
for (const { bounds, factor } of held) holdBounds(bounds, factor);
