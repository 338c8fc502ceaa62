import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { countsFileVariable, type FileTime, readRun, type TestCounts } from "./test-counts.ts";

/** One step of the test command. */
export interface Stage {
  readonly title: string;
  /** Programs with their arguments, run one after the other. */
  readonly commands: readonly (readonly [program: string, ...args: string[]])[];
  /** True where the commands run tests with the counting reporter. */
  readonly counts?: boolean;
}

/** What came of all stages. `passed` and `failed` are tests; a stage that fails without one counts as one failure. */
export interface StagesResult extends TestCounts {
  /** The title of the stage that failed; the ones after it did not run. */
  readonly failedStage: string | undefined;
  /** Every test file that ran, with its time. */
  readonly files: readonly FileTime[];
}

function runCommand(command: readonly [string, ...string[]], cwd: string, countsFile: string): Promise<boolean> {
  const [program, ...args] = command;
  const bin = path.join(cwd, "node_modules", ".bin");
  const env = { ...process.env, PATH: `${bin}${path.delimiter}${process.env.PATH}`, [countsFileVariable]: countsFile };
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd, env, stdio: ["ignore", "inherit", "inherit"] });
    child.once("error", (error) => {
      process.stderr.write(`${program}: ${error.message}\n`);
      resolve(false);
    });
    child.once("close", (code) => resolve(code === 0));
  });
}

/**
 * Runs the stages in order, with their output passed through, and stops at the first that fails. `print` receives one
 * line before and after each stage.
 */
export async function runStages(
  stages: readonly Stage[],
  options: { readonly cwd: string; print(line: string): void },
): Promise<StagesResult> {
  const folder = mkdtempSync(path.join(tmpdir(), "test-counts-"));
  let passed = 0;
  let failed = 0;
  const files: FileTime[] = [];
  try {
    for (const [index, { title, commands, counts }] of stages.entries()) {
      const started = Date.now();
      options.print(`\n[${index + 1}/${stages.length}] ${title}`);
      for (const [step, command] of commands.entries()) {
        const countsFile = path.join(folder, `${index}-${step}.json`);
        const isGood = await runCommand(command, options.cwd, countsFile);
        const found = counts ? readRun(countsFile) : undefined;
        passed += found?.passed ?? 0;
        failed += found?.failed ?? 0;
        files.push(...(found?.files ?? []));
        const isMissing = counts === true && found === undefined;
        if (isGood && !isMissing) continue;
        if (!found?.failed) failed += 1;
        options.print(`[${index + 1}/${stages.length}] ${title}: failed at "${command.join(" ")}"`);
        return { passed, failed, failedStage: title, files };
      }
      options.print(`[${index + 1}/${stages.length}] ${title}: ok in ${((Date.now() - started) / 1000).toFixed(1)} s`);
    }
    return { passed, failed, failedStage: undefined, files };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
