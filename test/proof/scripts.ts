/**
 * `pnpm proof:scripts`: hostile scripts through `execute_code`, with canaries around them (F18, SC1). What was sent, and
 * what came of it, stands in `docs/security.md`.
 */
import { HOSTILE_SCRIPTS } from "./scripts/hostile-scripts.ts";
import { runHostileScripts } from "./scripts/run-hostile-scripts.ts";

const kinds = new Map<string, number>();
for (const { kind } of HOSTILE_SCRIPTS) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
const report = await runHostileScripts(HOSTILE_SCRIPTS, { seconds: 2 });
console.log(
  `${report.ended}/${HOSTILE_SCRIPTS.length} hostile scripts ended, the slowest after ${Math.round(report.slowestMs)} ms`,
);
console.log(`kinds: ${[...kinds].map(([kind, count]) => `${count} ${kind}`).join(", ")}`);
console.log(`${report.calls} calls of what they may call; the loop was held ${Math.round(report.heldMs)} ms at most`);
console.log(`${report.violations.length} violations`);
for (const violation of report.violations) console.log(`    ${violation}`);
process.exitCode = report.violations.length === 0 ? 0 : 1;
