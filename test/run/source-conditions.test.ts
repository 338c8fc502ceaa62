import { once } from "node:events";
import { createRequire } from "node:module";
import path from "node:path";
import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { run } from "../process/run.ts";

const source = path.join("packages", "plugin-sdk", "src", "index.ts");

test("a worker thread started from a TypeScript file sees the workspace's sources, not a build", async () => {
  const worker = new Worker(new URL("./resolving-worker.ts", import.meta.url));
  const [answer] = (await once(worker, "message")) as [string];
  expect(answer.endsWith(source)).toBe(true);
});

test("a child process started with the test's own arguments sees them too", async () => {
  const manifest = new URL("../../packages/agent-core/package.json", import.meta.url).pathname;
  const program = `console.log(require("node:module").createRequire(${JSON.stringify(manifest)}).resolve("@agent-service/plugin-sdk"))`;
  const { output } = await run(process.execPath, [...process.execArgv, "-e", program], { cwd: import.meta.dirname });
  expect(output.trim().endsWith(source)).toBe(true);
  expect(createRequire(manifest).resolve("@agent-service/plugin-sdk").endsWith(source)).toBe(true);
});
