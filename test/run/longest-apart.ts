import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * The files that take longest, and more than one core: browsers beside the service, and services of their own. Where no former
 * run is known, vitest goes by the size of files, and some of these are the smallest.
 */
const LONGEST = [
  /\/test\/console\/every-screen\.test\.ts$/,
  /\/test\/console\/journeys-\d+-of-\d+\.test\.ts$/,
  /\/test\/proof\/kill\.test\.ts$/,
  /\/test\/new-feature\/new-feature\.test\.ts$/,
  /\/test\/console\/snapshots\.test\.ts$/,
  // The files of the other proofs are a few lines each: by their size they would be the last to begin.
  /\/test\/proof\/(?:[a-z-]+\/)?[a-z-]+\.test\.ts$/,
];
/** Of the other files, so many run beside each of them. */
const BETWEEN = 16;

/**
 * Vitest's order, the largest first, with the longest files begun early, so that no core idles at the end, and one after the
 * other: side by side they only slow each other, and small ones wait longer than they work.
 */
export class LongestApart extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const longest = [...new Set(LONGEST.flatMap((pattern) => sorted.filter(({ moduleId }) => pattern.test(moduleId))))];
    const others = sorted.filter((file) => !longest.includes(file));
    const apart = longest.flatMap((file, index) => [file, ...others.slice(index * BETWEEN, (index + 1) * BETWEEN)]);
    return [...apart, ...others.slice(longest.length * BETWEEN)];
  }
}
