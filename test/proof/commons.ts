/** `pnpm proof:commons [--operations N] [--seed S]`: two processes write and read one commons of skills at once; nothing is lost or half. */
import { parseArgs } from "node:util";
import { runCommons } from "./commons/run-commons.ts";

const { values } = parseArgs({
  options: { operations: { type: "string", default: "10000" }, seed: { type: "string", default: "1" } },
});
const { writes, reads, ms, commitMs, violations } = await runCommons(values.seed, Number(values.operations));
const [alone, beside] = commitMs.map((one) => one.toFixed(1));
console.log(`${writes} writes and ${reads} reads of two processes in ${Math.round(ms / 1000)} s`);
console.log(`a commit of a store beside them took ${beside} ms, and ${alone} ms before (medians)`);
for (const violation of violations) console.log(violation);
console.log(`${violations.length} violations`);
process.exitCode = violations.length === 0 ? 0 : 1;
