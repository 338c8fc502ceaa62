#!/usr/bin/env node
/** The command `agent-service`. Everything it starts is loaded when it is needed. */
import { nodeProblem, runCommand } from "./cli/index.ts";

const problem = nodeProblem(process.versions.node);
if (problem !== undefined) {
  process.stderr.write(`${problem}\n`);
  process.exit(1);
}
await runCommand(
  process.argv.slice(2),
  async ({ explain, setup }) => {
    // The other two write nothing.
    if (explain === undefined && !setup) (await import("./use-compiled.ts")).useCompiled(process.env);
    return (await import("./process/index.ts")).programOver(() => import("./compose.ts"));
  },
  () => import("./client.ts"),
);
