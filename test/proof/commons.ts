/** `pnpm proof:commons [--operations N] [--seed S]`: two processes write and read one commons of skills and memories at once; nothing is lost or half. */
import { parseArgs } from "node:util";
import { runCommons } from "./commons/run-commons.ts";

const { values } = parseArgs({
  options: { operations: { type: "string", default: "10000" }, seed: { type: "string", default: "1" } },
});
const { writes, reads, ms, commitMs, violations } = await runCommons(values.seed, Number(values.operations));
console.log(`${writes} writes and ${reads} reads of two processes in ${Math.round(ms / 1000)} s`);
const { alone, apart, together } = commitMs;
console.log(
  `a commit of a store: ${together.toFixed(2)} ms beside them, ${apart.toFixed(2)} ms beside two that share nothing, ${alone.toFixed(2)} ms alone (medians)`,
);
console.log(`sharing makes it ${(together / apart).toFixed(2)} times as long (bound: 1.5)`);
for (const violation of violations) console.log(violation);
console.log(`${violations.length} violations`);
process.exitCode = violations.length === 0 ? 0 : 1;
