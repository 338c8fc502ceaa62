import { expect, test } from "vitest";
import { moduleRule } from "./module-rule.ts";
import { parseTree } from "./parsed-file.ts";
import { treeOf } from "./source-tree.ts";

function violations(files: Record<string, string>): string[] {
  return moduleRule(parseTree(treeOf(files))).map(({ file, message }) => `${file}: ${message}`);
}

const core = "packages/agent-core/src";

/** Two complete modules of agent-core, so that only what a test lays over them can be wrong. */
const whole = {
  [`${core}/turn/index.ts`]: "export {};",
  [`${core}/turn/turn.test.ts`]: "export {};",
  [`${core}/journal/index.ts`]: "export {};",
  [`${core}/journal/journal.test.ts`]: "export {};",
};

test("a sibling imported past its index is found, in tests as well", () => {
  const source = `import { append } from "../journal/append.ts";`;
  const found = expect.stringContaining("import module journal through its index.ts");
  expect(violations({ ...whole, [`${core}/turn/turn.ts`]: source })).toEqual([found]);
  expect(violations({ ...whole, [`${core}/turn/turn.test.ts`]: source })).toEqual([found]);
});

test("a worker started from another module's file is found like an import", () => {
  const source = `new Worker(new URL("../journal/worker.ts", import.meta.url));`;
  expect(violations({ ...whole, [`${core}/turn/turn.ts`]: source })).toEqual([expect.stringContaining("index.ts")]);
});

test("an import uphill is found, be it of a type or at run time", () => {
  const found = [expect.stringContaining("module journal imports turn, which is above it")];
  const type = `import type { Turn } from "../turn/index.ts";`;
  expect(violations({ ...whole, [`${core}/journal/journal.ts`]: type })).toEqual(found);
  const dynamic = `await import("../turn/index.ts");`;
  expect(violations({ ...whole, [`${core}/journal/journal.ts`]: dynamic })).toEqual(found);
});

test("a module that is missing from the written order is found", () => {
  const source = `import { a } from "../novelty/index.ts";`;
  expect(violations({ ...whole, [`${core}/turn/turn.ts`]: source })).toEqual([
    expect.stringContaining("module novelty is not in the written order"),
  ]);
});

test("features are above the module that defines them, in any order without a cycle", () => {
  const feature = (name: string, source = "export {};") => ({
    [`${core}/${name}/index.ts`]: source,
    [`${core}/${name}/feature.ts`]: `import { defineFeature } from "../feature/index.ts";`,
    [`${core}/${name}/${name}.test.ts`]: "export {};",
  });
  const two = { ...whole, ...feature("novelty", `export * from "../inbox/index.ts";`), ...feature("inbox") };
  expect(violations(two)).toEqual([]);
  expect(violations({ ...two, ...feature("inbox", `export * from "../novelty/index.ts";`) })).toEqual([
    expect.stringContaining("modules import each other in a circle"),
  ]);
  expect(violations({ ...two, [`${core}/turn/turn.ts`]: `import { a } from "../inbox/index.ts";` })).toEqual([
    expect.stringContaining("module turn imports inbox, which is above it"),
  ]);
});

test("modules in a circle are found where no order is written", () => {
  const at = "packages/a2a-protocol/src";
  const files = {
    [`${at}/task/index.ts`]: `export * from "../stream/index.ts";`,
    [`${at}/stream/index.ts`]: `export * from "../error/index.ts";`,
    [`${at}/error/index.ts`]: `export * from "../task/index.ts";`,
  };
  expect(violations(files)).toEqual([expect.stringContaining("error → task → stream → error")]);
});

test("a module that imports a file standing above the modules is found", () => {
  const source = `import { createAgentCore } from "../create-agent-core.ts";`;
  expect(violations({ ...whole, [`${core}/turn/turn.ts`]: source })).toEqual([expect.stringContaining("are above")]);
  expect(violations({ ...whole, [`${core}/turn/turn.test.ts`]: source })).toEqual([]);
});

test("console features that import each other are found, even through an index", () => {
  const at = "apps/console/src";
  const files = {
    [`${at}/features/chat/index.ts`]: `import { row } from "../inbox/index.ts"; import { Button } from "../../ui/index.ts";`,
    [`${at}/features/inbox/index.ts`]: "export const row = 1;",
    [`${at}/ui/index.ts`]: "export const Button = 1;",
  };
  expect(violations(files)).toEqual([expect.stringContaining("features never import each other")]);
});

test("a module without an index or without tests is found, unless it only declares types", () => {
  expect(violations({ [`${core}/turn/turn.ts`]: "export function turn() {}" })).toEqual([
    expect.stringContaining("has an index.ts"),
    expect.stringContaining("together with its tests"),
  ]);
  expect(violations({ [`${core}/turn/index.ts`]: "export type Turn = { id: string };" })).toEqual([]);
});

test("downhill imports, folders inside a module, and the testing module in tests pass", () => {
  const files = {
    ...whole,
    [`${core}/index.ts`]: `export * from "./turn/index.ts";`,
    [`${core}/turn/turn.ts`]: `import { append } from "../journal/index.ts"; import { step } from "./step/step.ts";`,
    [`${core}/turn/step/step.ts`]: "export const step = 1;",
    [`${core}/testing/index.ts`]: "export const clock = 1;",
    [`${core}/journal/journal.test.ts`]: `import { clock } from "../testing/index.ts"; import "../testing/replies.ts";`,
  };
  expect(violations(files)).toEqual([]);
});
