import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const MIB = 1024 * 1024;

/** The generation's size in bytes before, while held, and bounded: each under a load that survives many collections. */
const program = `
  import { getHeapSpaceStatistics } from "node:v8";
  import { boundYoungGeneration, holdYoungGeneration } from ${JSON.stringify(new URL("./index.ts", import.meta.url).href)};
  const size = () => getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space").space_size;
  let kept;
  async function load() {
    let most = 0;
    for (let round = 0; round < 150; round++) {
      kept = Array.from({ length: 40_000 }, (_, n) => ({ n }));
      await new Promise(setImmediate);
      most = Math.max(most, size());
    }
    return most;
  }
  holdYoungGeneration();
  const held = await load();
  boundYoungGeneration();
  const bounded = await load();
  console.log(JSON.stringify({ held, bounded, kept: kept.length }));`;

test("the young generation hardly grows while held, and stops at its limit under load", async () => {
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", program]);
  const { held, bounded } = JSON.parse(stdout) as { held: number; bounded: number };
  expect(held).toBeLessThan(16 * MIB);
  // The limit is seen after the collection that passed it, so one more doubling may have happened.
  expect(bounded).toBeLessThanOrEqual(64 * MIB);
  expect(bounded).toBeGreaterThanOrEqual(held);
});
