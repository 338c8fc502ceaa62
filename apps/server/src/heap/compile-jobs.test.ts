import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";

/** The most bytes that V8 held outside of its heap while a busy thread made many functions hot. */
const program = (freed: boolean) => `
  import { getHeapStatistics } from "node:v8";
  import { freeCompileJobsAtOnce } from ${JSON.stringify(new URL("./index.ts", import.meta.url).href)};
  if (${freed}) freeCompileJobsAtOnce();
  const lines = (n) => Array.from({ length: 30 }, (_, i) => "t = (t * " + (n + i) + " + o.a) % " + (i + 7) + ";").join("");
  let sum = 0;
  for (let n = 0; n < 400; n++) {
    const hot = new Function("o", "let t = 0;" + lines(n) + "return t;");
    for (let i = 0; i < 1_000; i++) sum += hot({ a: i });
  }
  console.log(JSON.stringify({ peak: getHeapStatistics().peak_malloced_memory, sum }));`;

async function peak(freed: boolean): Promise<number> {
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", program(freed)]);
  return (JSON.parse(stdout) as { peak: number }).peak;
}

test("finished compilations do not pile up while the thread is busy", async () => {
  const [piled, freed] = [await peak(false), await peak(true)];
  console.log(piled, freed);
  expect(freed).toBeLessThan(piled / 2);
});
