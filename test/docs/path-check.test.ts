import { expect, test } from "vitest";
import { documentsOf, repositoryOf } from "./doc-sources.ts";
import { pathCheck } from "./path-check.ts";

const files = {
  "apps/server/src/main.ts": "",
  "packages/config/src/layer/index.ts": "",
  "docs/architecture.md": "# The parts\n\n## Where to add what?\n",
};

function problems(file: string, text: string): string[] {
  const repository = repositoryOf({ ...files, [file]: text });
  const documents = documentsOf(repository, [...Object.keys(files), file]);
  return pathCheck(documents, repository).map(({ line, message }) => `${line}: ${message}`);
}

test.each([
  ["a link", "[map](docs/missing.md)"],
  ["an image", "![map](./docs/map.png)"],
  ["a reference link", "[map]: docs/missing.md"],
  ["a link to a missing heading", "[map](docs/architecture.md#nowhere)"],
  ["a link within the page", "[map](#nowhere)"],
  ["a path in backticks", "See `packages/config/src/missing.ts`."],
  ["a relative path in backticks", "See `./docs/missing`."],
  ["a build output without its source", "Run `apps/server/dist/missing.js`."],
  ["a file in a folder", "See `layer/missing.ts`."],
])("%s that leads nowhere is found", (_what, text) => {
  expect(problems("README.md", `first line\n${text}`)).toEqual([expect.stringMatching(/^2: /)]);
});

test.each([
  [
    "links to files and headings",
    "[a](docs/architecture.md) [b](./docs/architecture.md#where-to-add-what) [c](https://a.example/x)",
  ],
  ["paths from the root", "`packages/config/src/layer/index.ts` and `packages/config/`"],
  ["a build's output", "`node apps/server/dist/main.js` and `apps/server/dist/main.js`"],
  ["paths with a variable part", "`packages/<name>/src` and `packages/*/README.md`"],
  [
    "what only looks like a path",
    "`message/send`, `application/json`, `/a2a`, `@a2a-js/sdk`, `.well-known/agent-card.json`",
  ],
  ["anything inside a fenced block", "```sh\ncat ./docs/missing.md\n```"],
])("%s pass", (_what, text) => {
  expect(problems("README.md", text)).toEqual([]);
});

test("a package's document may name paths from its own folder and its src", () => {
  expect(
    problems("packages/config/README.md", "`layer/index.ts`, `src/layer/` and [up](../../docs/architecture.md)"),
  ).toEqual([]);
});
