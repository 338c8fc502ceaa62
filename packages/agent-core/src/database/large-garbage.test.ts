import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";

/** A process that makes little, looks ten times, then makes large texts, and is idle both times. */
const program = `
  import { constants, PerformanceObserver } from "node:perf_hooks";
  import { setTimeout as sleep } from "node:timers/promises";
  import { getHeapSpaceStatistics } from "node:v8";
  import { collectLargeGarbage } from ${JSON.stringify(new URL("./large-garbage.ts", import.meta.url).href)};
  const large = () => getHeapSpaceStatistics().filter(({ space_name }) => space_name.endsWith("large_object_space"))
    .reduce((sum, { space_used_size }) => sum + space_used_size, 0);
  const texts = (megabytes) => Array.from({ length: megabytes }, (_, n) => Buffer.alloc(1_000_000, 97 + n % 8).toString("latin1"));
  let collections = 0;
  new PerformanceObserver((list) => {
    for (const { detail } of list.getEntries()) if (detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR) collections++;
  }).observe({ entryTypes: ["gc"] });
  let looks = 0;
  const every = setInterval;
  globalThis.setInterval = (look, ms) => every(() => { look(); looks++; }, ms);
  collectLargeGarbage(20);
  texts(2);
  while (looks < 10) await sleep(5);
  const afterLittle = collections;
  let made;
  { const held = texts(40); made = large(); held.length = 0; }
  // A process that never collects runs into the limit.
  const until = performance.now() + 60_000;
  while (performance.now() < until && large() > made / 2) await sleep(20);
  console.log(JSON.stringify({ afterLittle, made, left: large() }));`;

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

async function run(source: string): Promise<string> {
  return (await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", source])).stdout;
}

test("what large texts leave behind is collected when the process is quiet, and nothing where little is large (EN10)", async () => {
  const { afterLittle, made, left } = JSON.parse(await run(program));
  expect(afterLittle).toBe(0);
  expect(made).toBeGreaterThan(30_000_000);
  expect(left).toBeLessThan(made / 2);
});

test("what a process grew by is collected when it is quiet, large or not (EN10)", async () => {
  expect(Number(await run(grown))).toBeLessThan(40_000_000);
});
