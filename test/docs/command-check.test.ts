import { expect, test } from "vitest";
import { commandCheck } from "./command-check.ts";
import { documentsOf, repositoryOf } from "./doc-sources.ts";

function problems(text: string, file = "README.md"): string[] {
  const repository = repositoryOf({
    "package.json": JSON.stringify({ scripts: { start: "", "proof:kill": "" } }),
    "apps/console/package.json": JSON.stringify({ scripts: { preview: "" } }),
    [file]: text,
  });
  return commandCheck(documentsOf(repository, [file]), repository).map(({ message }) => message);
}

test("a pnpm script that no package.json has is found, in text and in blocks", () => {
  expect(problems("Run `pnpm launch`.")).toEqual([expect.stringContaining('"pnpm launch"')]);
  expect(problems('```sh\nnpx -y -p node@24 -p pnpm@12 -c "pnpm launch"\n```')).toHaveLength(1);
  expect(problems("`pnpm run launch -- --port 1`")).toHaveLength(1);
});

test("a script of a package is known in its own document and behind --filter", () => {
  expect(problems("`pnpm --filter @agent-service/console preview`")).toEqual([]);
  expect(problems("`pnpm preview`", "apps/console/README.md")).toEqual([]);
  expect(problems("`pnpm preview`")).toHaveLength(1);
  expect(problems("`pnpm --filter @agent-service/console start`")).toHaveLength(1);
  expect(problems("`pnpm --filter nobody start`")).toEqual([expect.stringContaining("the package nobody")]);
});

test("the root's scripts and pnpm's own commands pass", () => {
  const text =
    '`pnpm proof:kill --trials 5`, `pnpm install`, `npx -p pnpm@12 -c "pnpm start"`, `pnpm exec vitest run test`';
  expect(problems(text)).toEqual([]);
});
