import { rmSync } from "node:fs";
import path from "node:path";
import { Stryker } from "@stryker-mutator/core";
import type { ChosenMutants } from "./chosen-mutants.ts";
import { testFilesVariable } from "./test-files.ts";

export interface StrykerRun {
  readonly root: string;
  /** Relative to the root. */
  readonly folder: string;
  /** Folders whose tests are to notice the mutants. */
  readonly tests: readonly string[];
  readonly chosen: ChosenMutants;
  /** File, ending in `.jsonl`, to which each mutant is added once it was tried. */
  readonly report: string;
  /** Only this file of the folder. */
  readonly file?: string;
  /** Run all the tests for each mutant, not only those that reach it: for code that runs in a thread of its own. */
  readonly everyTest: boolean;
}

/** Milliseconds a mutant's tests may take beyond three times their usual time: only a hang does. */
const HANG_MS = 20_000;

/** Runs Stryker over a folder, in a copy of the repository under `.cache`. */
export async function runStryker({
  root,
  folder,
  tests,
  chosen,
  report,
  everyTest,
  file = "**/*",
}: StrykerRun): Promise<void> {
  process.chdir(root);
  process.env[testFilesVariable] = JSON.stringify(tests.map((tests) => `${tests}/**/*.test.{ts,tsx}`));
  const sandbox = report.replace(/\.jsonl$/, "");
  // A run that was broken off has left its copy.
  rmSync(sandbox, { recursive: true, force: true });
  const own = ["chosen-mutants.ts", "report-reporter.ts"].map((file) => path.join(import.meta.dirname, file));
  await new Stryker({
    plugins: ["@stryker-mutator/vitest-runner", ...own],
    mutate: [`${folder}/${file}.{ts,tsx}`, `${folder}/${file}`, "!**/*.{test,generated,test-d,d}.{ts,tsx}"],
    testRunner: "vitest",
    vitest: { configFile: "tools/mutants/vitest.config.ts", related: false, pool: "forks" },
    checkers: ["chosen-mutants"],
    chosenMutants: chosen,
    mutantReport: report,
    coverageAnalysis: everyTest ? "off" : "perTest",
    concurrency: 1,
    timeoutMS: HANG_MS,
    timeoutFactor: 3,
    dryRunTimeoutMinutes: 30,
    tempDirName: path.relative(root, sandbox),
    cleanTempDir: "always",
    ignorePatterns: [".cache", "dist", ".turbo", "coverage", "bench/out", "screenshots"],
    // Tests compare generated sources; what Stryker would write at their top is for a compiler that does not run here.
    disableTypeChecks: false,
    // The compiler Stryker would rewrite this with has another interface than the one in use; nothing reads it here.
    tsconfigFile: "none.json",
    reporters: ["progress-append-only", "mutant-report"],
    warnings: { slow: false, unknownOptions: true, preprocessorErrors: true, unserializableOptions: true },
  }).runMutationTest();
}
