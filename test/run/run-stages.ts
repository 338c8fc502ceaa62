import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { countsFileVariable, type FileTime, readRun, type TestCounts, type TestRun } from "./test-counts.ts";

/** One step of the test command. */
export interface Stage {
  readonly title: string;
  /** Programs with their arguments, run one after the other unless `beside` is true. */
  readonly commands: readonly (readonly [program: string, ...args: string[]])[];
  /** True: the commands run side by side, and the output of each is shown once it ended. */
  readonly beside?: boolean;
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

type Command = Stage["commands"][number];

interface CommandOptions {
  readonly cwd: string;
  readonly countsFile: string;
  /** Where the output of a command that runs beside others goes; undefined: it is passed through as it comes. */
  readonly show: ((output: string) => void) | undefined;
}

function runCommand([program, ...args]: Command, { cwd, countsFile, show }: CommandOptions): Promise<boolean> {
  const bin = path.join(cwd, "node_modules", ".bin");
  const env = { ...process.env, PATH: `${bin}${path.delimiter}${process.env.PATH}`, [countsFileVariable]: countsFile };
  const out = show === undefined ? "inherit" : "pipe";
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd, env, stdio: ["ignore", out, out] });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding("utf8").on("data", (chunk: string) => {
        output += chunk;
      });
    }
    child.once("error", (error) => {
      process.stderr.write(`${program}: ${error.message}\n`);
      resolve(false);
    });
    child.once("close", (code) => {
      if (output !== "") show?.(output.trimEnd());
      resolve(code === 0);
    });
  });
}

interface CommandEnd {
  readonly command: Command;
  readonly isGood: boolean;
  readonly run: TestRun | undefined;
}

/** Runs the commands of a stage; of those that run one after the other none follows one that failed. */
async function runCommands({ commands, counts, beside }: Stage, options: CommandOptions): Promise<CommandEnd[]> {
  const runOne = async (command: Command, step: number): Promise<CommandEnd> => {
    const countsFile = `${options.countsFile}-${step}.json`;
    const ended = await runCommand(command, { ...options, countsFile, show: beside ? options.show : undefined });
    const run = counts ? readRun(countsFile) : undefined;
    return { command, isGood: ended && (counts !== true || run !== undefined), run };
  };
  if (beside) return Promise.all(commands.map(runOne));
  const ends: CommandEnd[] = [];
  for (const [step, command] of commands.entries()) {
    ends.push(await runOne(command, step));
    if (!ends.at(-1)?.isGood) break;
  }
  return ends;
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
    for (const [index, stage] of stages.entries()) {
      const started = Date.now();
      const named = `[${index + 1}/${stages.length}] ${stage.title}`;
      options.print(`\n${named}`);
      const countsFile = path.join(folder, String(index));
      const ends = await runCommands(stage, { cwd: options.cwd, countsFile, show: options.print });
      for (const { run } of ends) {
        passed += run?.passed ?? 0;
        failed += run?.failed ?? 0;
        files.push(...(run?.files ?? []));
      }
      const broken = ends.filter(({ isGood }) => !isGood);
      // A command that failed without a failed test counts as one.
      failed += broken.filter(({ run }) => !run?.failed).length;
      for (const { command } of broken) options.print(`${named}: failed at "${command.join(" ")}"`);
      if (broken.length > 0) return { passed, failed, failedStage: stage.title, files };
      options.print(`${named}: ok in ${((Date.now() - started) / 1000).toFixed(1)} s`);
    }
    return { passed, failed, failedStage: undefined, files };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
