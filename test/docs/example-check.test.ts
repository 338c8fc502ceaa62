import { expect, test } from "vitest";
import { documentsOf, repositoryOf } from "./doc-sources.ts";
import { exampleCheck } from "./example-check.ts";

const example = `import { a } from "a";

export function main() {
  // #region use
  const b = a();
  if (b) {
    b.run();
  }
  // #endregion use
}
`;

function problems(fence: string, text: string): string[] {
  const repository = repositoryOf({
    "examples/use/main.ts": example,
    "README.md": `\`\`\`${fence}\n${text}\n\`\`\`\n`,
  });
  return exampleCheck(documentsOf(repository, ["README.md"]), repository).map(({ message }) => message);
}

const region = "const b = a();\nif (b) {\n  b.run();\n}";

test("a whole file and a region of it pass, whatever the indentation around them", () => {
  expect(problems("ts file=examples/use/main.ts", example)).toEqual([]);
  expect(problems("ts file=examples/use/main.ts#use", region)).toEqual([]);
});

test("a block that differs from its file is found", () => {
  expect(problems("ts file=examples/use/main.ts#use", region.replace("run", "walk"))).toEqual([
    expect.stringContaining("differs from examples/use/main.ts#use"),
  ]);
  expect(problems("ts file=examples/use/main.ts#use", region.replace("  b.run", "b.run"))).toHaveLength(1);
});

test("a block without a file, with a missing file or a missing region is found", () => {
  expect(problems("ts", region)).toEqual([expect.stringContaining("comes from a compiled file")]);
  expect(problems("ts file=examples/gone/main.ts", region)).toEqual([expect.stringContaining("not there")]);
  expect(problems("ts file=examples/use/main.ts#gone", region)).toEqual([
    expect.stringContaining('no "// #region gone"'),
  ]);
});

test("blocks in other languages need no file", () => {
  expect(problems("sh", "pnpm start")).toEqual([]);
});
