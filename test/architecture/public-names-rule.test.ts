import { expect, test } from "vitest";
import { parseTree } from "./parsed-file.ts";
import { pinText, publicNames, publicNamesRule } from "./public-names-rule.ts";
import { treeOf } from "./source-tree.ts";

const manifest = {
  exports: {
    ".": { "@agent-service/source": "./src/index.ts" },
    "./testing": { "@agent-service/source": "./src/testing.ts" },
  },
};
const sources = {
  "packages/config/package.json": JSON.stringify(manifest),
  "packages/config/src/index.ts": `export * from "./layer/index.ts"; export { save as store } from "./save.ts";`,
  "packages/config/src/layer/index.ts": `export { type Layer, merge } from "./layer.ts";`,
  "packages/config/src/testing.ts": "export const fake = 1;",
};
const pin = "packages/config/public-names.json";

function violations(pinned?: object, manifestOf: object = manifest): string[] {
  const files = { ...sources, "packages/config/package.json": JSON.stringify(manifestOf) };
  const tree = treeOf(pinned === undefined ? files : { ...files, [pin]: JSON.stringify(pinned) });
  return publicNamesRule(tree, parseTree(tree)).map(({ file, message }) => `${file} ${message}`);
}

const asIs = { ".": ["Layer", "merge", "store"], "./testing": ["fake"] };

test("names that are pinned as they are pass", () => {
  expect(violations(asIs)).toEqual([]);
});

test("a name that comes, goes or has no pin is found, in every entry point", () => {
  expect(violations({ ".": ["Layer", "gone", "store"], "./testing": ["fake"] })).toEqual([
    `${pin} . exports merge and no longer exports gone: if that is meant, run pnpm public-names`,
  ]);
  expect(violations({ ".": asIs["."] })).toEqual([
    `${pin} ./testing exports fake: if that is meant, run pnpm public-names`,
  ]);
  expect(violations({ ...asIs, "./old": ["x"] })).toEqual([
    `${pin} ./old no longer exports x: if that is meant, run pnpm public-names`,
  ]);
  expect(violations()).toHaveLength(2);
});

test("a package that is not published pins nothing", () => {
  expect(violations(undefined, { ...manifest, private: true })).toEqual([]);
});

test("what is written is what passes", () => {
  const tree = treeOf(sources);
  const [written] = [...publicNames(tree, parseTree(tree))].map(([, names]) => pinText(names));
  expect(JSON.parse(written!)).toEqual(asIs);
});
