import { expect, test } from "vitest";
import { checkHouse } from "./house/check-house.ts";
import { readSourceTree } from "./house/source-tree.ts";
import { formatViolation } from "./house/violation.ts";

const report = checkHouse(readSourceTree(new URL("..", import.meta.url).pathname));

/** The rules are `docs/architecture.md`'s; what breaks each of them is shown beside its code, in `house/*.test.ts`. */
const rules: readonly (readonly [string, keyof typeof report])[] = [
  ["every source file can be read", "syntax"],
  ["rule 1: every arrow between packages is in the table, and none runs in a circle", "arrows"],
  ["rules 1 and 2: slices are whole, meet at their index and import downhill", "slices"],
  ["rule 2: every folder and file says what is inside", "names"],
  ["rule 3: files and functions stay small", "sizes"],
  ["rule 4: no module holds state, and nothing is extended by subclassing", "moduleState"],
  ["rule 5: everything a package offers says what it is", "docstrings"],
  ["rule 7: tests lie beside what they test, all run, and fake only the outside world", "tests"],
  ["no exception outlives its reason", "exceptions"],
];

test.each(rules)("%s", (_title, rule) => {
  expect(report[rule].map(formatViolation)).toEqual([]);
});
