import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The two files that take longest, and more than one core: the browser's journeys, and the service killed over and over. */
const LONGEST = ["/test/console/journeys.test.ts", "/test/proof/kill.test.ts"];
/** Of the other files, so many run beside the first: about a minute's worth. */
const BETWEEN = 16;

/**
 * Vitest's order, the largest first, with the longest files begun early, so that no core idles at the end, and one after the
 * other: side by side they only slow each other, and small ones wait longer than they work.
 */
export class LongestApart extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const longest = LONGEST.flatMap((end) => sorted.filter(({ moduleId }) => moduleId.endsWith(end)));
    const others = sorted.filter((file) => !longest.includes(file));
    const [first, ...next] = longest;
    return [...(first ? [first] : []), ...others.slice(0, BETWEEN), ...next, ...others.slice(BETWEEN)];
  }
}
