/**
 * `pnpm proof:secrets [--secrets N] [--seed S]`: random secrets in configuration, environment, secrets manager, headers,
 * bodies, tool output and model errors, looked for in everything the service wrote and answered (S5). What is
 * planted and where it is looked for stands in `docs/security.md`.
 */
import { parseArgs } from "node:util";
import { runSecrets } from "./secrets/run-secrets.ts";

const { values } = parseArgs({
  options: { secrets: { type: "string", default: "300" }, seed: { type: "string", default: "1" } },
});
const count = Number(values.secrets);
if (!Number.isSafeInteger(count) || count < 1) {
  console.error(`--secrets takes a whole number from 1 on, not ${values.secrets}`);
  process.exit(1);
}
let failed = false;
for (const logFormat of ["text", "json"] as const) {
  const report = await runSecrets({ seed: `${values.seed}/${logFormat}`, secrets: count, logFormat });
  const sizes = Object.entries(report.bytes).map(([sink, bytes]) => `${Math.ceil(bytes / 1024)} KiB of ${sink}s`);
  console.log(
    `${report.planted} secrets, ${logFormat} log: ${report.answers} answers, ${report.tasks} tasks, ${report.rows} rows`,
  );
  console.log(`    looked through ${sizes.join(", ")}; ${report.masked} places masked in answers`);
  console.log(`    the caller's own words were found in: ${report.canary.join(", ")}`);
  for (const violation of report.violations) console.log(`    LEAK: ${violation}`);
  console.log(`    ${report.violations.length} violations`);
  for (const what of report.blind) console.log(`    nothing was shown by ${what}`);
  failed ||= report.blind.length > 0 || report.violations.length > 0 || !report.printed || report.canary.length < 3;
}
process.exitCode = failed ? 1 : 0;
