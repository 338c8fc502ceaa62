/** Checks by a command of a project: its exit code decides. */
import type { Fence } from "../fence/index.ts";
import { type Environment, type ProcessEnd, type Processes, processEnvironment } from "../process/index.ts";
import type { CheckRun, PreparedCheck, RawVerdict } from "./prepared-check.ts";
import { summaryOf } from "./test-summary.ts";
import { failed } from "./verifier-error.ts";
import type { SpecOf } from "./verifier-spec.ts";

/** What of the service's environment a check is given, beside what settings name. */
const PASSED = ["PATH", "HOME", "LANG", "TZ"];
const MAX_OUTPUT_CHARS = 200_000;

/** How checks start programs. */
export interface CheckCommands {
  readonly processes: Pick<Processes, "run">;
  /** The service's own environment; of it an allow-list is passed on. */
  readonly inherited: Environment;
  /** Names of further variables to pass on. */
  readonly pass: () => readonly string[];
}

interface Parts {
  readonly fence: Fence;
  readonly commands: CheckCommands;
}

/** The environment of a check's programs (PR3). */
export function checkEnvironment({ inherited, pass }: CheckCommands, fence: Fence): Record<string, string> {
  const writable = fence.projects.all.flatMap(({ root, path }) => [path, ...(root === undefined ? [] : [root])]);
  const whole = processEnvironment({ inherited, writable, pass: pass() });
  const wanted = new Set([...PASSED, ...pass()]);
  return Object.fromEntries(Object.entries(whole).filter(([name]) => wanted.has(name)));
}

/** @throws VerifierError verifier.failed where the program did not end by itself */
export function requireExit(end: ProcessEnd, seconds: number): void {
  if (end.timedOut) throw failed(`it was ended after its ${seconds} s`);
  if (end.cause !== "exit") throw failed("it was ended before it came to a result");
  if (end.signal !== null) throw failed(`signal ${end.signal} ended it`);
}

async function runIn(
  { fence, commands }: Parts,
  { project, spec }: PreparedCheck & { readonly spec: SpecOf<"command" | "test"> },
  { signal, owner, timeoutS }: CheckRun,
): Promise<ProcessEnd> {
  const where = await fence.open({ project, path: spec.cwd ?? ".", for: "run" });
  try {
    const end = await commands.processes.run({
      ...{ kind: "check", owner, argv: ["bash", "-c", spec.command], cwd: where.here },
      ...{ env: checkEnvironment(commands, fence), timeoutMs: timeoutS * 1_000, signal },
    });
    requireExit(end, timeoutS);
    return end;
  } finally {
    await where.close();
  }
}

/** Exit code 0 is met. @throws VerifierError verifier.failed */
export async function commandCheck(
  parts: Parts,
  check: PreparedCheck & { readonly spec: SpecOf<"command"> },
  run: CheckRun,
): Promise<RawVerdict> {
  const { code, output } = await runIn(parts, check, run);
  const evidence = output.text(MAX_OUTPUT_CHARS);
  return { met: code === 0, reason: `The command ended with exit code ${code}.`, evidence, value: [code, evidence] };
}

/** Exit code 0 is met, unless a summary says that no test ran. @throws VerifierError verifier.failed */
export async function testCheck(
  parts: Parts,
  check: PreparedCheck & { readonly spec: SpecOf<"test"> },
  run: CheckRun,
): Promise<RawVerdict> {
  const { code, output } = await runIn(parts, check, run);
  const evidence = output.text(MAX_OUTPUT_CHARS);
  const summary = summaryOf(evidence, check.spec.runner);
  const met = code === 0 && summary?.tests !== 0;
  const counted =
    summary === undefined ? "" : `, ${summary.tests} ${summary.tests === 1 ? "test" : "tests"} by the summary`;
  const reason = code === 0 && !met ? "No test ran." : `The tests ended with exit code ${code}${counted}.`;
  return { met, reason, evidence, value: [code, met, summary?.tests ?? null] };
}
