import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const MIB = 1024 * 1024;

/** The generation's size in bytes under load, and after a pause, with loads that survive many collections. */
const program = `
  import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";
  import { runInNewContext } from "node:vm";
  import { boundYoungGeneration } from ${JSON.stringify(new URL("./young-generation.ts", import.meta.url).href)};
  const size = () => getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space").space_size;
  let kept;
  // Of its own: how often V8 collects in a second of the machine's depends on what else the machine does.
  let milliseconds = 0;
  async function load() {
    let most = 0;
    for (let round = 0; round < 150; round++) {
      milliseconds += 4;
      kept = Array.from({ length: 40_000 }, (_, n) => ({ n }));
      await new Promise(setImmediate);
      most = Math.max(most, size());
    }
    return most;
  }
  let turns = 16;
  boundYoungGeneration(() => turns, () => milliseconds);
  const few = await load();
  turns = 64;
  const bounded = await load();
  // What V8 does in a process that is idle for some seconds.
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")({ type: "major", flavor: "last-resort" });
  const idle = size();
  const again = await load();
  console.log(JSON.stringify({ few, bounded, idle, again, kept: kept.length }));`;

test("the young generation stops at its limit under load, which many turns raise, and grows again after a pause", async () => {
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", program]);
  const { few, bounded, idle, again } = JSON.parse(stdout) as Record<"few" | "bounded" | "idle" | "again", number>;
  // The limit is seen after the collection that passed it, so one more doubling may have happened.
  expect(few).toBeLessThanOrEqual(32 * MIB);
  expect(bounded).toBeGreaterThan(few);
  expect(bounded).toBeLessThanOrEqual(64 * MIB);
  expect(idle).toBeLessThan(bounded / 4);
  expect(again).toBeGreaterThanOrEqual(bounded / 2);
  expect(again).toBeLessThanOrEqual(64 * MIB);
});
