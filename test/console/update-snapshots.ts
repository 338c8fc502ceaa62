/**
 * Takes the pictures that `snapshots.test.ts` compares with, into `test/console/snapshots/`: the main screens in both themes, made small. Run
 * it when a screen is meant to look different, and look at what it wrote. What did not change stays as it is.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { PNG } from "pngjs";
import { builtConsole } from "./rig/built-console.ts";
import { startConsoleRig } from "./rig/console-rig.ts";
import { differenceOf } from "./rig/small-picture.ts";
import { MAIN_SCREENS, SNAPSHOTS, withSnapshots } from "./rig/snapshots.ts";

/** As much as two runs on one machine may differ by. */
const UNCHANGED = 0.003;

mkdirSync(SNAPSHOTS, { recursive: true });
await using rig = await startConsoleRig((await builtConsole()).folder);
await withSnapshots(rig, async (take) => {
  for (const screen of MAIN_SCREENS) {
    for (const { name, picture } of await take(screen)) {
      const file = path.join(SNAPSHOTS, `${name}.png`);
      const known = existsSync(file) ? PNG.sync.read(readFileSync(file)) : undefined;
      if (known !== undefined && differenceOf(known, picture).share <= UNCHANGED) continue;
      const bytes = PNG.sync.write(picture, { colorType: 2 });
      writeFileSync(file, bytes);
      console.log(`${name}  ${Math.round(bytes.length / 1_000)} kB`);
    }
  }
});
