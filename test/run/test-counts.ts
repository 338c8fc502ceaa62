import { readFileSync } from "node:fs";

/** How many tests passed and failed. A file that could not be read and an error outside any test count as failed. */
export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
}

/** The environment variable that tells the reporter where to leave its counts. */
export const countsFileVariable = "TEST_COUNTS_FILE";

/** Reads what the reporter left; undefined when the run never got to its end. */
export function readCounts(file: string): TestCounts | undefined {
  try {
    const { passed, failed } = JSON.parse(readFileSync(file, "utf8")) as TestCounts;
    return Number.isInteger(passed) && Number.isInteger(failed) ? { passed, failed } : undefined;
  } catch {
    return undefined;
  }
}
