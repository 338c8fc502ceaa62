/** The repository of the walk: thirty small modules with a notice in the head of each, their tests. */
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const MODULES: { readonly [name: string]: string } = {
  add: "(a, b) => a + b",
  average: "(list) => list.reduce((sum, value) => sum + value, 0) / list.length",
  clamp: "(value, low, high) => Math.min(Math.max(value, low), high)",
  compact: "(list) => list.filter((value) => value != null)",
  count: "(list, value) => list.filter((one) => one === value).length",
  cube: "(value) => value ** 3",
  difference: "(list, other) => list.filter((value) => !other.includes(value))",
  divide: "(a, b) => a / b",
  double: "(value) => value * 2",
  drop: "(list, count) => list.slice(count)",
  even: "(value) => value % 2 === 0",
  factors: "(value) => range(value).filter((one) => value % one === 0)",
  first: "(list) => list[0]",
  half: "(value) => value / 2",
  index: "(list, value) => list.indexOf(value)",
  last: "(list) => list.at(-1)",
  max: "(list) => Math.max(...list)",
  median: "(list) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)]",
  min: "(list) => Math.min(...list)",
  negate: "(value) => -value",
  odd: "(value) => value % 2 !== 0",
  percent: "(part, whole) => (part / whole) * 100",
  product: "(list) => list.reduce((product, value) => product * value, 1)",
  range: "(count) => Array.from({ length: count }, (_, at) => at + 1)",
  reverse: "(list) => list.toReversed()",
  round: "(value, digits) => Number(value.toFixed(digits))",
  square: "(value) => value ** 2",
  sum: "(list) => list.reduce((sum, value) => sum + value, 0)",
  take: "(list, count) => list.slice(0, count)",
  unique: "(list) => [...new Set(list)]",
};

/** Their names, in order. */
export const MODULE_NAMES = Object.keys(MODULES);

/** The notice before and after the script of the walk. */
export const NOTICE = { before: "Copyright 2025 Example Ltd", after: "Copyright 2026 Example Foundation" } as const;

const TESTS = `import assert from "node:assert/strict";
import { test } from "node:test";
import { average } from "../src/average.js";
import { median } from "../src/median.js";
import { sum } from "../src/sum.js";

test("the sum of a list", () => assert.equal(sum([1, 2, 3]), 6));
test("its average", () => assert.equal(average([1, 2, 3]), 2));
test("its median", () => assert.equal(median([3, 1, 2]), 2));
`;

/** Makes the repository in `folder`, with one commit. */
export function makeRepository(folder: string): void {
  const files: { [path: string]: string } = {
    "package.json": `${JSON.stringify({ name: "figures", type: "module", scripts: { test: "node --test" } }, null, 2)}\n`,
    "README.md": "# Figures\n\nSmall functions for lists of numbres.\n",
    OWNERS: "example-ltd\n",
    "test/figures.test.js": TESTS,
  };
  for (const [name, body] of Object.entries(MODULES)) {
    const uses = body.includes("range(") ? 'import { range } from "./range.js";\n\n' : "";
    files[`src/${name}.js`] = `// ${NOTICE.before}\n${uses}export const ${name} = ${body};\n`;
  }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, path, ".."), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const git = (...args: readonly string[]): void =>
    void execFileSync("git", ["-c", "user.name=Ann", "-c", "user.email=ann@example.org", ...args], {
      cwd: folder,
      stdio: "pipe",
    });
  git("init", "-q", "-b", "main");
  git("add", "-A");
  git("commit", "-qm", "Thirty small functions");
}
