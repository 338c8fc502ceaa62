import { expect, test } from "vitest";
import { featureRule } from "./feature-rule.ts";
import { parseTree } from "./parsed-file.ts";
import { treeOf } from "./source-tree.ts";

const core = "packages/agent-core/src";
const server = "apps/server/src";
const consoleApp = "apps/console/src";

/** Features, one each, so that only what a test adds can be wrong. */
const features = {
  [`${core}/inbox/feature.ts`]: "export const inbox = 1;",
  [`${core}/inbox/index.ts`]: `export { inbox } from "./feature.ts";`,
  [`${core}/activity/feature.ts`]: `import { inbox } from "../inbox/index.ts";`,
  [`${server}/features/inbox/index.ts`]: "export const inbox = 1;",
  "packages/operator-api/src/inbox/resource.ts": "export const inbox = 1;",
  [`${consoleApp}/features/chat/index.ts`]: "export const chat = 1;",
};

function violations(files: Record<string, string>): string[] {
  return featureRule(parseTree(treeOf({ ...features, ...files }))).map(({ file }) => file);
}

test.each([
  [`${core}/create-agent-core.ts`, `import { inbox } from "./inbox/index.ts";`],
  [`${core}/turn/run-turn.ts`, `import type { Inbox } from "../inbox/index.ts";`],
  [`${server}/compose.ts`, `import { inbox } from "./features/inbox/index.ts";`],
  [`packages/operator-api/src/create-operator-api.ts`, `import { inbox } from "./inbox/resource.ts";`],
  [`${consoleApp}/shell/shell.tsx`, `await import("../features/chat/index.ts");`],
])("%s may not name a feature", (file, source) => {
  expect(violations({ [file]: source })).toEqual([file]);
});

test("the lists name features, features name those they need, and tests name what they test", () => {
  const files = {
    [`${core}/index.ts`]: `export * from "./inbox/index.ts";`,
    [`${server}/features.ts`]: `export { inbox } from "./features/inbox/index.ts";`,
    "packages/operator-api/src/resources.ts": `export { inbox } from "./inbox/resource.ts";`,
    [`${consoleApp}/screens.ts`]: `import { chat } from "./features/chat/index.ts";`,
    [`${core}/create-agent-core.test.ts`]: `import { inbox } from "./inbox/index.ts";`,
    "test/proof/inbox/run-inbox.ts": `import { inbox } from "../../../${core}/inbox/index.ts";`,
    [`${core}/turn/run-turn.ts`]: `import { step } from "./step.ts";`,
  };
  expect(violations(files)).toEqual([]);
});
