/** `pnpm proof:sandbox`: attempts to get out of the sandbox of a command that no person approved (PR5, F15). */
import { runSandbox } from "./sandbox/run-sandbox.ts";

const report = await runSandbox();
if (typeof report === "string") {
  console.log(`not run: ${report}`);
} else {
  console.log(`${report.ran} attempts to get out of the sandbox: ${report.escaped.length} succeeded`);
  for (const one of report.escaped) console.log(`    ${one}`);
  process.exitCode = report.escaped.length === 0 ? 0 : 1;
}
