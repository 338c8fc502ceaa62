/** `pnpm proof:embeddings [--memories N] [--changes N] [--seed S]`: an endpoint that fails in every way while models change, and searches beside it. */
import { parseArgs } from "node:util";
import { runEmbeddings } from "./embeddings/run-embeddings.ts";

const { values } = parseArgs({
  options: {
    memories: { type: "string", default: "5000" },
    changes: { type: "string", default: "6" },
    seed: { type: "string", default: "1" },
  },
});
const outcome = await runEmbeddings(values.seed, Number(values.memories), Number(values.changes));
const { searches, byWords, changes, faults, slowestMs, violations } = outcome;
console.log(
  `${searches} searches, ${byWords} of them by words alone, the slowest ${Math.round(slowestMs)} ms; ${changes} changes of the model`,
);
console.log(
  Object.entries(faults)
    .map(([kind, count]) => `${kind} ${count}`)
    .join(", "),
);
for (const violation of violations) console.log(violation);
console.log(`${violations.length} violations`);
process.exitCode = violations.length === 0 ? 0 : 1;
