import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ENVIRONMENT_VARIABLES } from "./environment.ts";

test("the README's table is the table of variables (house rule 8)", () => {
  const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
  const [, section = ""] = readme.split("\n## Environment\n");
  const [table = ""] = section.split("\n## ");
  const rows = table.split("\n").filter((line) => line.startsWith("| `"));
  expect(rows).toEqual(
    ENVIRONMENT_VARIABLES.map(({ name, meaning, setting }) => {
      const feeds = setting === undefined ? "" : `\`${setting}\``;
      return `| \`${name}\` | ${meaning} | ${feeds} |`;
    }),
  );
});
