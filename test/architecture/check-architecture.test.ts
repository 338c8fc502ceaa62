import { expect, test } from "vitest";
import { checkArchitecture } from "./check-architecture.ts";
import type { RuleException } from "./exceptions.ts";
import { treeOf } from "./source-tree.ts";

const file = "packages/agent-core/src/turn/turn.test.ts";
const sleeping = `import { turn } from "./turn.ts"; await new Promise((resolve) => setTimeout(resolve, 50));`;
const awake = `import { turn } from "./turn.ts"; turn();`;

function check(source: string, exception: RuleException) {
  const report = checkArchitecture(treeOf({ [file]: source }), { limits: [], rules: [exception], longFiles: [] });
  const of = (start: string) => [...report].find(([title]) => title.startsWith(start))?.[1].length;
  return { tests: of("rule 9"), exceptions: of("no exception") };
}

test.each([
  ["a file", file],
  ["a folder", "packages/agent-core/src/turn/"],
])("an exception for %s covers one message, and must go when it is no longer needed", (_of, at) => {
  const exception = { file: at, match: "sleeps for luck", why: "measures the wall clock" };
  expect(check(sleeping, exception)).toEqual({ tests: 0, exceptions: 0 });
  expect(check(sleeping, { ...exception, match: "another message" })).toEqual({ tests: 1, exceptions: 1 });
  expect(check(awake, exception)).toEqual({ tests: 0, exceptions: 1 });
});

test("an exception for another file covers nothing", () => {
  const exception = { file: "packages/agent-core/src/task/", match: "sleeps for luck", why: "measures the wall clock" };
  expect(check(sleeping, exception)).toEqual({ tests: 1, exceptions: 1 });
});
