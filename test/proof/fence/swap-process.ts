/**
 * The second process of the races: it swaps, as fast as it can, a folder and a file of a project for links to outside, and
 * back. Arguments: the project's folder and the folder outside.
 */
import { linkSync, mkdirSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [root = "", outside = "", inside = ""] = process.argv.slice(2);
const at = (name: string): string => join(root, name);

/** Another process may be at work on the same name. */
function attempt(act: () => void): void {
  try {
    act();
  } catch {
    // The next round sets it right.
  }
}

mkdirSync(at("folder"), { recursive: true });
symlinkSync(outside, at("folder-link"));
symlinkSync(join(outside, "canary.txt"), at("file-link"));
process.stdout.write("ready\n");
process.on("disconnect", () => process.exit(0));

let rounds = 0;
function round(): void {
  for (let turn = 0; turn < 50; turn++) {
    rounds++;
    // The folder of the path becomes a link to outside.
    attempt(() => renameSync(at("folder"), at("folder-kept")));
    attempt(() => renameSync(at("folder-link"), at("folder")));
    // The file becomes one, and a name of a file outside.
    attempt(() => renameSync(at("file-link"), at("file")));
    attempt(() => renameSync(at("folder"), at("folder-link")));
    attempt(() => renameSync(at("folder-kept"), at("folder")));
    attempt(() => renameSync(at("file"), at("file-link")));
    attempt(() => writeFileSync(at("file"), inside));
    attempt(() => writeFileSync(at("folder/canary.txt"), inside));
    if (turn === 0) attempt(() => rmSync(at("other"), { force: true }));
    if (turn === 0) attempt(() => linkSync(at("file"), at("other")));
    attempt(() => unlinkSync(at("other")));
  }
  if (!process.connected) return;
  process.send?.(rounds, undefined, undefined, () => {});
  setImmediate(round);
}
round();
