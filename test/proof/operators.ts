/**
 * `pnpm proof:operators [--operations N] [--lives L] [--seed S]`: operators chat, fork, rewind, delete, set goals, watches and jobs and
 * remember in the same conversations at once, while the service is stopped and killed between. No answer is a fault, the service does not
 * end by itself, and nothing is left of what was incognito.
 */
import { parseArgs } from "node:util";
import { runOperators } from "./operators/run-operators.ts";

const { values } = parseArgs({
  options: {
    operations: { type: "string", default: "1000" },
    lives: { type: "string", default: "4" },
    seed: { type: "string", default: "1" },
  },
});
const began = performance.now();
const { answers, hushed, violations, folder } = await runOperators({
  ...{ seed: values.seed, operations: Number(values.operations), lives: Number(values.lives) },
});
const seconds = Math.round((performance.now() - began) / 1000);
console.log(
  `seed ${values.seed}: ${answers} answers in ${values.lives} lives, ${hushed} incognito turns, ${seconds} s`,
);
for (const violation of violations) console.log(violation);
console.log(`${violations.length} violations${violations.length > 0 ? `, kept: ${folder}` : ""}`);
process.exitCode = violations.length === 0 ? 0 : 1;
