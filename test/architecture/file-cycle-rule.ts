import { findCycles } from "./find-cycles.ts";
import type { ParsedFile } from "./parsed-file.ts";
import { targetOf } from "./source-path.ts";
import type { Violation } from "./violation.ts";

/**
 * Rule 1 between files: no file imports itself through others, be it for types only, for a worker or at run time. Files
 * directly under `src` and outside the packages count as well.
 */
export function fileCycleRule(files: readonly ParsedFile[]): readonly Violation[] {
  const paths = new Set(files.map(({ path }) => path));
  const edges = new Map(
    files.map(({ path, requests }) => {
      const targets = requests.map(({ specifier }) => targetOf(path, specifier));
      return [path, new Set(targets.filter((target) => target !== undefined && paths.has(target)) as string[])];
    }),
  );
  return findCycles(edges).map((cycle) => ({
    file: cycle[0] ?? "",
    message: `files import each other in a cycle: ${cycle.join(" → ")}; move what they share into a file of its own`,
  }));
}
