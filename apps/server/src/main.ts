#!/usr/bin/env node
/** The command `agent-service`. Everything it starts is loaded when it is needed. */
import { holdYoungGeneration } from "./heap/index.ts";

holdYoungGeneration();
const { runCommand } = await import("./cli/index.ts");
await runCommand(
  process.argv.slice(2),
  () => import("./program.ts"),
  () => import("./client.ts"),
);
