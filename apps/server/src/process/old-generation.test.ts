import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";

/** How often V8 collected the old generation, beside some 40 MiB that live, under garbage that is old when it dies. */
const program = (bounded: boolean) => `
  import { constants, PerformanceObserver } from "node:perf_hooks";
  import { setFlagsFromString } from "node:v8";
  import { boundOldGeneration } from ${JSON.stringify(new URL("./old-generation.ts", import.meta.url).href)};
  setFlagsFromString("--semi-space-growth-factor=1");
  if (${bounded}) boundOldGeneration();
  let collections = 0;
  new PerformanceObserver((list) => {
    for (const { detail } of list.getEntries()) if (detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR) collections++;
  }).observe({ entryTypes: ["gc"] });
  const some = (count) => Array.from({ length: count }, (_, n) => ({ n }));
  const kept = some(800_000);
  const dying = [];
  for (let round = 0; round < 1_000; round++) {
    dying.push(some(4_000));
    if (dying.length > 100) dying.shift();
    await new Promise(setImmediate);
  }
  console.log(JSON.stringify({ collections, kept: kept.length }));`;

async function collections(bounded: boolean): Promise<number> {
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", program(bounded)]);
  return (JSON.parse(stdout) as { collections: number }).collections;
}

test("garbage is collected before it has piled up beside what lives", async () => {
  const [free, bounded] = [await collections(false), await collections(true)];
  expect(bounded).toBeGreaterThan(1);
  expect(bounded).toBeGreaterThan(1.5 * free);
});
