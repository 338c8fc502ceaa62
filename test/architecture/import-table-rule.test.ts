import { describe, expect, test } from "vitest";
import { importTableRule } from "./import-table-rule.ts";
import { parseTree } from "./parsed-file.ts";
import { treeOf } from "./source-tree.ts";

const names = {
  "packages/a2a-protocol": "@agent-service/a2a-protocol",
  "packages/plugin-sdk": "@agent-service/plugin-sdk",
  "packages/config": "@agent-service/config",
  "packages/agent-core": "@agent-service/agent-core",
  "packages/operator-api": "@agent-service/operator-api",
  "apps/server": "@agent-service/server",
  "apps/console": "@agent-service/console",
  "examples/embed": "embed",
};

/** A workspace in which every package is empty, with `files` added. */
function violations(files: Record<string, string>): string[] {
  const manifests = Object.entries(names).map(([folder, name]) => [`${folder}/package.json`, JSON.stringify({ name })]);
  const tree = treeOf({ ...Object.fromEntries(manifests), ...files });
  return importTableRule(tree, parseTree(tree)).map(({ file, message }) => `${file}: ${message}`);
}

function manifest(folder: keyof typeof names, fields: Record<string, Record<string, string>>): Record<string, string> {
  return { [`${folder}/package.json`]: JSON.stringify({ name: names[folder], ...fields }) };
}

const notAllowed = expect.stringContaining("the import table does not allow it");

describe("an import against the import table is found", () => {
  test.each([
    ["as a value", `import { a } from "@agent-service/agent-core";`],
    ["as a type", `import type { A } from "@agent-service/agent-core";`],
    ["re-exported", `export * from "@agent-service/agent-core";`],
    ["for its side effects", `import "@agent-service/agent-core";`],
    ["at run time", `const core = await import("@agent-service/agent-core");`],
    ["inside a type", `type Core = import("@agent-service/agent-core").Core;`],
  ])("%s", (_form, source) => {
    expect(violations({ "packages/config/src/layer/layer.ts": source })).toContainEqual(notAllowed);
  });

  test("in a test too", () => {
    const source = `import { a } from "@agent-service/config";`;
    expect(violations({ "packages/agent-core/src/turn/turn.test.ts": source })).toEqual([notAllowed]);
  });

  test("when the console takes more than the two clients", () => {
    const dependencies = { "@agent-service/a2a-protocol": "workspace:^" };
    const source = `import { a } from "@agent-service/a2a-protocol/server";`;
    const files = { ...manifest("apps/console", { dependencies }), "apps/console/src/api/client.ts": source };
    expect(violations(files)).toEqual([notAllowed]);
  });
});

test("a manifest that names a package without an arrow is found, in every field", () => {
  for (const field of ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"]) {
    const files = manifest("packages/plugin-sdk", { [field]: { "@agent-service/agent-core": "workspace:^" } });
    expect(violations(files)).toEqual([notAllowed]);
  }
});

test("operator-api may take types of the engine, but no values", () => {
  const dependencies = { "@agent-service/agent-core": "workspace:^" };
  const at = (source: string) =>
    violations({
      ...manifest("packages/operator-api", { dependencies }),
      "packages/operator-api/src/inbox/routes.ts": source,
    });
  expect(at(`import type { Inbox } from "@agent-service/agent-core/host";`)).toEqual([]);
  expect(at(`import { createAgentCore } from "@agent-service/agent-core/host";`)).toEqual([
    expect.stringContaining("types only"),
  ]);
  // An inline `type` leaves `import {}` behind at run time.
  expect(at(`import { type Inbox } from "@agent-service/agent-core/host";`)).toEqual([
    expect.stringContaining("types only"),
  ]);
});

test("packages that depend on each other are found as a circle", () => {
  const files = {
    ...manifest("packages/agent-core", { dependencies: { "@agent-service/plugin-sdk": "workspace:^" } }),
    ...manifest("packages/plugin-sdk", { devDependencies: { "@agent-service/agent-core": "workspace:^" } }),
  };
  expect(violations(files)).toContainEqual(
    expect.stringContaining(
      "circle: @agent-service/agent-core → @agent-service/plugin-sdk → @agent-service/agent-core",
    ),
  );
});

test("reaching into another package by path, or into one's own by name, is found", () => {
  const files = {
    "packages/agent-core/src/turn/turn.ts": `import { a } from "../../../config/src/index.ts";`,
    "packages/config/src/layer/layer.ts": `import { a } from "@agent-service/config";`,
  };
  expect(violations(files)).toEqual([
    expect.stringContaining("reaches out of its package"),
    expect.stringContaining("use a relative path"),
  ]);
});

test("a test, and nothing else of a package, may reach for the values that tests of several packages draw", () => {
  const source = `import { codePoint } from "../../../../test/values/text.ts";`;
  expect(violations({ "packages/config/src/layer/layer.test.ts": source })).toEqual([]);
  expect(violations({ "packages/config/src/layer/layer.ts": source })).toEqual([
    expect.stringContaining("reaches out of its package"),
  ]);
  const other = `import { run } from "../../../../test/process/run.ts";`;
  expect(violations({ "packages/config/src/layer/layer.test.ts": other })).toEqual([
    expect.stringContaining("reaches out of its package"),
  ]);
});

test("a dependency that only the workspace's root names is found in sources and allowed in tests", () => {
  const source = `import fc from "fast-check";`;
  expect(violations({ "packages/config/src/layer/layer.ts": source })).toEqual([expect.stringContaining("fast-check")]);
  expect(violations({ "packages/config/src/layer/layer.test.ts": source })).toEqual([]);
});

test("a package for any runtime may not import Node's own modules outside its tests", () => {
  const source = `import { readFile } from "node:fs/promises";`;
  expect(violations({ "packages/a2a-protocol/src/server/handler.ts": source })).toEqual([
    expect.stringContaining("any runtime"),
  ]);
  expect(violations({ "packages/a2a-protocol/src/server/handler.test.ts": source })).toEqual([]);
  expect(violations({ "packages/agent-core/src/turn/turn.ts": source })).toEqual([]);
});

test("what the table allows passes, and examples may use any published entry point", () => {
  const files = {
    ...manifest("packages/agent-core", { dependencies: { "@agent-service/plugin-sdk": "workspace:^", valibot: "1" } }),
    ...manifest("examples/embed", { dependencies: { "@agent-service/agent-core": "workspace:^" } }),
    "packages/agent-core/src/turn/turn.ts": `import type { Tool } from "@agent-service/plugin-sdk"; import * as v from "valibot";`,
    "examples/embed/main.ts": `import { createAgentCore } from "@agent-service/agent-core/host";`,
  };
  expect(violations(files)).toEqual([]);
});
