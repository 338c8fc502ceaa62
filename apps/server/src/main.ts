#!/usr/bin/env node
/** The command `agent-service`. Everything it starts is loaded when it is needed. */
import { runCommand } from "./cli/index.ts";

await runCommand(
  process.argv.slice(2),
  () => import("./program.ts"),
  () => import("./client.ts"),
);
