#!/usr/bin/env node
/** The command `agent-service`. Everything it starts is loaded when it is needed. */
import { runCommand } from "./cli/index.ts";

await runCommand(
  process.argv.slice(2),
  async () => (await import("./process/index.ts")).programOver(() => import("./compose.ts")),
  () => import("./client.ts"),
);
