import { expect, test } from "vitest";
import { documentsOf, repositoryOf } from "./doc-sources.ts";
import { packageCheck } from "./package-check.ts";

const manifest = {
  name: "@agent-service/config",
  description: "Settings.",
  license: "MIT",
  engines: { node: ">=26" },
  exports: {
    ".": { "@agent-service/source": "./src/index.ts", types: "./dist/index.d.ts", default: "./dist/index.js" },
  },
};
const whole = {
  LICENSE: "MIT License",
  "packages/config/LICENSE": "MIT License",
  "packages/config/README.md": "# config\n\n```sh\nnode main.js\n```\n",
  "packages/config/src/index.ts": "",
  "packages/config/package.json": JSON.stringify(manifest),
};

function problems(files: Record<string, string>, changesets = ['---\n"@agent-service/config": minor\n---']): string[] {
  const repository = repositoryOf(files);
  const documents = documentsOf(repository, Object.keys(files));
  return packageCheck(["packages/config"], documents, repository, changesets).map(({ message }) => message);
}

test("a package that has everything passes", () => {
  expect(problems(whole)).toEqual([]);
});

test.each([
  ["no README", { "packages/config/README.md": undefined }, "has no README.md"],
  ["a README without an example", { "packages/config/README.md": "# config" }, "no example"],
  ["another licence", { "packages/config/LICENSE": "GPL" }, "LICENSE"],
  [
    "no entry points",
    { "packages/config/package.json": JSON.stringify({ ...manifest, exports: {} }) },
    "no exports map",
  ],
  ["an entry without a source", { "packages/config/src/index.ts": undefined }, "has no source"],
  [
    "an entry without types",
    {
      "packages/config/package.json": JSON.stringify({ ...manifest, exports: { ".": { default: "./dist/index.js" } } }),
    },
    "types",
  ],
])("a package with %s is found", (_what, change, message) => {
  const files = Object.fromEntries(Object.entries({ ...whole, ...change }).filter(([, text]) => text !== undefined));
  expect(problems(files as Record<string, string>)).toEqual([expect.stringContaining(message)]);
});

test("a package that no changeset names is found", () => {
  expect(problems(whole, [])).toEqual([expect.stringContaining("no changeset")]);
});
