import { readFileSync } from "node:fs";

/** How many tests passed and failed. A file that could not be read and an error outside any test count as failed. */
export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
}

/** How long one test file took: loading what it imports, what prepares its tests, and the tests. */
export interface FileTime {
  /** Path from the repository's root. */
  readonly file: string;
  readonly ms: number;
}

/** What the reporter leaves of one run. */
export interface TestRun extends TestCounts {
  readonly files: readonly FileTime[];
}

/** The environment variable with the path for the reporter's counts. */
export const countsFileVariable = "TEST_COUNTS_FILE";

/** Reads what the reporter left; undefined when the run never got to its end. */
export function readRun(file: string): TestRun | undefined {
  try {
    const { passed, failed, files = [] } = JSON.parse(readFileSync(file, "utf8")) as Partial<TestRun>;
    return Number.isInteger(passed) && Number.isInteger(failed)
      ? { passed: Number(passed), failed: Number(failed), files }
      : undefined;
  } catch {
    return undefined;
  }
}
