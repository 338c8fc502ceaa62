import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";

/** How much piles up hangs on how busy the machine is, so `pnpm bench` measures it; here V8 must know what it is told. */
test("V8 has the option, and by default does otherwise", async () => {
  const module = JSON.stringify(new URL("./index.ts", import.meta.url).href);
  const program = `import { freeCompileJobsAtOnce } from ${module}; freeCompileJobsAtOnce();`;
  const run = promisify(execFile);
  const { stderr } = await run(process.execPath, ["--input-type=module", "--eval", program]);
  expect(stderr).toBe("");
  const { stdout } = await run(process.execPath, ["--v8-options"]);
  expect(stdout).toMatch(/--maglev-destroy-on-background .*\n.*default: --maglev-destroy-on-background/);
});
