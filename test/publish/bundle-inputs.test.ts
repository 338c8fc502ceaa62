import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const root = path.join(import.meta.dirname, "../..");

test("the bundled command carries the file of every thread that the engine starts", () => {
  const build = readFileSync(path.join(root, "apps/server/build.ts"), "utf8");
  const threads = globSync("packages/agent-core/src/**/*-worker.ts", { cwd: root }).map((file) =>
    path.posix.relative("packages/agent-core/src", file).replace(/\.ts$/, ".js"),
  );
  expect(threads).toContain("web-tools/page-worker.js");
  for (const thread of threads) {
    const name = path.posix.basename(thread, ".js");
    expect(build).toContain(`"${name}": here("../../packages/agent-core/dist/${thread}")`);
  }
});
