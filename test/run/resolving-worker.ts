import { createRequire } from "node:module";
import { parentPort } from "node:worker_threads";

/** A worker written in TypeScript that reports where it resolves agent-core's plugin contracts. */
const fromAgentCore = createRequire(new URL("../../packages/agent-core/package.json", import.meta.url));
parentPort?.postMessage(fromAgentCore.resolve("@agent-service/plugin-sdk"));
