import { expect, test } from "vitest";
import { checkArchitecture } from "./architecture/check-architecture.ts";
import { readSourceTree } from "./architecture/source-tree.ts";
import { formatViolation } from "./architecture/violation.ts";

/** The rules are `docs/architecture.md`'s; what breaks each of them is shown beside its code, in `architecture/*.test.ts`. */
const report = checkArchitecture(readSourceTree(new URL("..", import.meta.url).pathname));

test.each([...report])("%s", (_rule, violations) => {
  expect(violations.map(formatViolation)).toEqual([]);
});
