import { expect, test } from "vitest";
import { parseTree } from "./parsed-file.ts";
import { treeOf } from "./source-tree.ts";
import { testRule } from "./test-rule.ts";

const beside = `import { turn } from "./turn.ts"; turn();`;

function violations(source: string, file = "packages/agent-core/src/turn/turn.test.ts"): string[] {
  return testRule(parseTree(treeOf({ [file]: source }))).map(({ message }) => message);
}

test.each([
  ["focused", `test.only("ends a turn", () => {});`],
  ["skipped", `describe.skip("a turn", () => {});`],
  ["left for later", `test.todo("ends a turn");`],
  ["skipped on a condition", `test.skipIf(process.env.CI)("ends a turn", () => {});`],
  ["skipped below a modifier", `test.concurrent.skip("ends a turn", () => {});`],
  ["skipped by its old name", `xit("ends a turn", () => {});`],
  ["skipped from inside", `test("ends a turn", (ctx) => { ctx.skip(); });`],
])("a test that is %s is found", (_what, source) => {
  expect(violations(beside + source)).toHaveLength(1);
});

test.each([
  ["a replaced module", `vi.mock("node:fs");`],
  ["a replaced global", `vi.stubGlobal("fetch", () => {});`],
  ["a database stand-in by name", "const fakeDatabase = { query() {} };"],
  ["a database stand-in by contract", "class Rows implements Database {}"],
])("%s is found", (_what, source) => {
  expect(violations(beside + source)).toHaveLength(1);
});

test.each([
  ["a promise around setTimeout", "await new Promise((resolve) => setTimeout(resolve, 50));"],
  ["the same with a body", "await new Promise((resolve) => { setTimeout(() => resolve(), 50); });"],
  ["globalThis.setTimeout", "await new Promise((r) => globalThis.setTimeout(r, 50));"],
  ["timers/promises", `import { setTimeout as sleep } from "node:timers/promises"; await sleep(50);`],
])("a sleep through %s is found", (_what, source) => {
  expect(violations(beside + source)).toHaveLength(1);
});

test.each([
  ["of a test", `test("ends a turn", async () => {}, 30_000);`],
  ["of a table of tests", `test.each([1])("ends %i turns", async () => {}, 30_000);`],
  ["among a test's options", `test("ends a turn", { timeout: 30_000 }, async () => {});`],
  ["of what prepares tests", "beforeAll(async () => {}, 30_000);"],
  ["of a poll", "await expect.poll(() => turn.state, { timeout: 10_000 }).toBe(1);"],
  ["of a second, which is implicit", "await vi.waitFor(() => expect(turn.state).toBe(1));"],
])("a limit %s is found", (_what, source) => {
  expect(violations(beside + source)).toEqual([expect.stringMatching(/limit|second/)]);
});

test("a test away from its source is found", () => {
  expect(violations(`test("ends a turn", () => {});`)).toEqual([expect.stringContaining("beside what it tests")]);
  expect(violations(beside, "packages/agent-core/test/turn.test.ts")).toHaveLength(1);
  expect(violations(beside, "scripts/turn.test.ts")).toHaveLength(1);
  expect(violations(beside, "test/kill.test.ts")).toEqual([]);
  expect(violations(`import "./turn/index.ts";`, "packages/agent-core/src/whole.test.ts")).toEqual([]);
});

test("a title without a behaviour is found", () => {
  expect(violations(`${beside} test("turn", () => {});`)).toEqual([expect.stringContaining("names no behaviour")]);
});

test("a deadline, a wait for a condition and a real database pass", () => {
  const source = `${beside}
    test("ends a turn when the model answers", async () => {
      const database = await openDatabase(":memory:");
      await expect.poll(() => turn.state, { interval: 2 }).toBe("completed");
      await new Promise((resolve, reject) => { setTimeout(() => reject(new Error("late")), 5000); turn.on("end", resolve); });
      await new Promise((resolve) => setImmediate(resolve));
      await new Promise((resolve) => clock.setTimeout(resolve, 5));
      server.close();
    });`;
  expect(violations(source)).toEqual([]);
});
