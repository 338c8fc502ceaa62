import { expect, test } from "vitest";
import { checkArchitecture } from "./architecture/check-architecture.ts";
import { readSourceTree } from "./architecture/source-tree.ts";
import { formatViolation } from "./architecture/violation.ts";

const report = checkArchitecture(readSourceTree(new URL("..", import.meta.url).pathname));

/** The rules are `docs/architecture.md`'s; what breaks each of them is shown beside its code, in `architecture/*.test.ts`. */
const rules: readonly (readonly [string, keyof typeof report])[] = [
  ["every source file can be read", "syntax"],
  ["rule 1: every import between packages is in the table, and packages form no cycle", "imports"],
  ["rules 1 and 2: modules are whole, are imported through their index and downhill", "modules"],
  ["rule 2: every folder and file says what is inside", "names"],
  ["rule 4: files and functions stay small", "sizes"],
  ["rule 5: no module holds state, and nothing is extended by subclassing", "moduleState"],
  ["rule 6: everything a package offers says what it is", "docstrings"],
  ["rule 9: tests lie beside what they test, all run, and fake only the outside world", "tests"],
  ["no exception outlives its reason", "exceptions"],
];

test.each(rules)("%s", (_title, rule) => {
  expect(report[rule].map(formatViolation)).toEqual([]);
});
