/**
 * Loaded into the service before it starts: on SIGUSR2 its main thread collects all garbage, and what it holds then is a line
 * of the file that the environment names.
 */
import { appendFileSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { isMainThread } from "node:worker_threads";

const file = process.env.PROOF_HELD_MEMORY;
if (isMainThread && file !== undefined) {
  process.on("SIGUSR2", () => {
    setFlagsFromString("--expose-gc");
    const gc = runInNewContext("gc") as () => void;
    gc();
    const { heapUsed, external } = process.memoryUsage();
    appendFileSync(file, `${heapUsed + external}\n`);
  });
}
