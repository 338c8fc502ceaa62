import { limits } from "./exceptions.ts";
import type { ParsedFile } from "./parsed-file.ts";
import { linesOf } from "./size-rule.ts";
import { isGeneratedOrMigration, isTestFile } from "./source-path.ts";
import type { Violation } from "./violation.ts";

/**
 * Rule 4, the warning: a source file above 300 lines is on the list of those that already were. The list only shrinks: no
 * other file may grow so long, and one that does not need its row any more loses it.
 */
export function longFileRule(files: readonly ParsedFile[], listed: readonly string[]): readonly Violation[] {
  const long = files.filter(
    (file) => !isTestFile(file.path) && !isGeneratedOrMigration(file.path) && linesOf(file) > limits.warnedLines,
  );
  const paths = new Set(long.map(({ path }) => path));
  const grown = long
    .filter(({ path }) => !listed.includes(path))
    .map((file) => ({
      file: file.path,
      message: `it grew to ${linesOf(file)} lines, above ${limits.warnedLines}: split it along a responsibility`,
    }));
  const shrunk = listed
    .filter((path) => !paths.has(path))
    .map((file) => ({ file, message: "it is not that long any more: remove it from test/architecture/long-files.ts" }));
  return [...grown, ...shrunk];
}
