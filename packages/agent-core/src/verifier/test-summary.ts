import { stripVTControlCharacters } from "node:util";
import type { Runner } from "./verifier-spec.ts";

/** How many tests a runner says it ran. */
export interface TestSummary {
  readonly runner: Runner;
  readonly tests: number;
}

type ReadCount = (output: string) => number | undefined;

/** The sum of what a pattern counts, wherever it stands; undefined: nowhere. */
function summing(pattern: RegExp): ReadCount {
  return (output) => {
    const found = [...output.matchAll(pattern)];
    return found.length === 0 ? undefined : found.reduce((sum, [, count]) => sum + Number(count ?? 0), 0);
  };
}

/** The first of these that finds a count. */
function first(...reads: readonly ReadCount[]): ReadCount {
  return (output) => {
    for (const read of reads) {
      const count = read(output);
      if (count !== undefined) return count;
    }
    return undefined;
  };
}

const COUNTS: Readonly<Record<Runner, ReadCount>> = {
  node: summing(/^(?:#|ℹ) tests (\d+)\s*$/gmu),
  vitest: first(summing(/^\s*Tests\s.*\((\d+)\)\s*$/gm), summing(/^\s*(?:Tests\s+no tests|No test files found)()/gm)),
  jest: first(summing(/^Tests:\s.*?(\d+) total\s*$/gm), summing(/^No tests found()/gm)),
  mocha: first(summing(/^\s*(\d+) (?:passing|failing)\b/gm)),
  pytest: first(summing(/^=*\s*(?:\d+ \w+, )*?(\d+) (?:passed|failed)\b/gm), summing(/\bno tests ran\b()/g)),
  go: first(
    summing(/^(?:ok|FAIL)\s+\S+\s(?!.*\[no tests to run\]).*()$/gm),
    summing(/\[no test(?:s to run| files)\]()/g),
  ),
  cargo: summing(/^running (\d+) tests?$/gm),
  tap: summing(/^1\.\.(\d+)\s*(?:#.*)?$/gm),
};

// A package that Go has tested says that it did, and not how many tests it has.
const goTests = (output: string, count: number): number =>
  /^(?:ok|FAIL)\s+\S+\s(?!.*\[no tests to run\])/m.test(output) ? Math.max(1, count) : count;

const ORDER: readonly Runner[] = ["node", "vitest", "jest", "pytest", "go", "cargo", "mocha", "tap"];

/** Reads the summary of a runner, or of any; undefined: none was recognised. */
export function summaryOf(output: string, runner?: Runner): TestSummary | undefined {
  // Colours stand within the lines of a summary.
  const plain = stripVTControlCharacters(output);
  for (const one of runner === undefined ? ORDER : [runner]) {
    const count = COUNTS[one](plain);
    if (count !== undefined) return { runner: one, tests: one === "go" ? goTests(plain, count) : count };
  }
  return undefined;
}
