import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ENVIRONMENT_VARIABLES, RESERVED_VARIABLES } from "./environment-table.ts";

/** The rows of the first table below a heading of the README. */
function rowsBelow(heading: string): string[] {
  const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
  const [, section = ""] = readme.split(`\n${heading}\n`);
  const [table = ""] = section.split("\n#");
  return table.split("\n").filter((line) => line.startsWith("| `"));
}

test("the README's table is the table of variables (architecture rule 10)", () => {
  expect(rowsBelow("## Environment")).toEqual(
    ENVIRONMENT_VARIABLES.map(({ name, meaning, setting }) => {
      const feeds = setting === undefined ? "" : `\`${setting}\``;
      return `| \`${name}\` | ${meaning} | ${feeds} |`;
    }),
  );
});

test("the README says of every other documented variable which feature brings it", () => {
  expect(rowsBelow("### Not used yet")).toEqual(
    RESERVED_VARIABLES.map(({ name, feature }) => `| \`${name}\` | ${feature} |`),
  );
});
