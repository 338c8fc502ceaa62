/**
 * `pnpm proof:checks`: gives a running service checks, schedules, prompts and evidence that are meant to harm it, and demands the
 * stated answer, that nothing is started or left running, and that its event loop is never held up for 100 ms.
 */
import { runChecks } from "./checks/run-checks.ts";

const { cases, violations } = await runChecks();
for (const { name, answer, heldMs, stoodMs } of cases)
  console.log(
    `${name}: ${answer}; the loop computed ${Math.round(heldMs)} ms at most, and stood ${Math.round(stoodMs)} ms by the clock`,
  );
for (const violation of violations) console.log(`FAILED ${violation}`);
console.log(`${cases.length} cases, ${violations.length} violations`);
process.exitCode = violations.length === 0 && cases.length > 0 ? 0 : 1;
