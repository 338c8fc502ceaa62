import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";

/** Full collections of a process that made large texts and is idle then, and what of the texts is held afterwards. */
const program = (megabytes: number) => `
  import { constants, PerformanceObserver } from "node:perf_hooks";
  import { setTimeout as sleep } from "node:timers/promises";
  import { getHeapSpaceStatistics } from "node:v8";
  import { collectLargeGarbage } from ${JSON.stringify(new URL("./large-garbage.ts", import.meta.url).href)};
  const large = () => getHeapSpaceStatistics().filter(({ space_name }) => space_name.endsWith("large_object_space"))
    .reduce((sum, { space_used_size }) => sum + space_used_size, 0);
  let collections = 0;
  new PerformanceObserver((list) => {
    for (const { detail } of list.getEntries()) if (detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR) collections++;
  }).observe({ entryTypes: ["gc"] });
  collectLargeGarbage(50);
  let texts = Array.from({ length: ${megabytes} }, (_, n) => Buffer.alloc(1_000_000, 97 + n % 8).toString("latin1"));
  const made = large();
  texts = undefined;
  // V8 collects by itself now and then, which does no harm here; a process that never collects runs into the limit.
  const until = performance.now() + (${megabytes} > 16 ? 60_000 : 500);
  while (performance.now() < until && (${megabytes} <= 16 || large() > made / 2)) await sleep(20);
  console.log(JSON.stringify({ made, left: large(), collections }));`;

/** The heap of a process that made millions of small objects and is idle then. */
const grown = `
  import { setTimeout as sleep } from "node:timers/promises";
  import { collectLargeGarbage } from ${JSON.stringify(new URL("./large-garbage.ts", import.meta.url).href)};
  collectLargeGarbage(50);
  const make = () => Array.from({ length: 1_500_000 }, (_, n) => ({ n, of: [n] })).length;
  make();
  const until = performance.now() + 60_000;
  while (performance.now() < until && process.memoryUsage().heapUsed > 40_000_000) await sleep(20);
  console.log(process.memoryUsage().heapUsed);`;

async function run(megabytes: number): Promise<{ made: number; left: number; collections: number }> {
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", program(megabytes)]);
  return JSON.parse(stdout);
}

test("what large texts leave behind is collected when the process is quiet (EN10)", async () => {
  const { made, left } = await run(40);
  expect(made).toBeGreaterThan(30_000_000);
  expect(left).toBeLessThan(made / 2);
});

test("what a process grew by is collected when it is quiet, large or not (EN10)", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", grown]);
  expect(Number(stdout)).toBeLessThan(40_000_000);
});

test("where little is large nothing is collected for it", async () => {
  const { collections } = await run(2);
  expect(collections).toBe(0);
});
