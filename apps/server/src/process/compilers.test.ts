import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const run = promisify(execFile);
const heap = JSON.stringify(new URL("./compilers.ts", import.meta.url).href);

/** How a function of WebAssembly is compiled after a loop that is hot, once V8 had the time to do it anew. */
const program = (bounded: boolean) => `
  import { boundCompilers } from ${heap};
  if (${bounded}) boundCompilers();
  // f(n): counts n down to 0
  const bytes = "0061736d0100000001060160017f017f03020100070501016600000a12011000034020004101" + "6b22000d000b20000b";
  const { f } = new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(bytes, "hex"))).exports;
  for (let i = 0; i < ${bounded ? 200 : 10_000} && !%IsTurboFanFunction(f); i++) {
    f(1_000_000);
    await new Promise(setImmediate);
  }
  console.log(%IsTurboFanFunction(f));`;

async function optimized(bounded: boolean): Promise<string> {
  const flags = ["--allow-natives-syntax", "--input-type=module", "--eval", program(bounded)];
  const { stdout, stderr } = await run(process.execPath, flags);
  // V8 reports an unknown option there.
  expect(stderr).toBe("");
  return stdout.trim();
}

test("WebAssembly stays as it is compiled first", async () => {
  expect([await optimized(false), await optimized(true)]).toEqual(["true", "false"]);
});
