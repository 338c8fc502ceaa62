/**
 * Measures the built service beside the gateway called directly and a bare echo, in one run, in turns, as ratios. It prints a
 * table, holds the bounds of `docs/performance.md` and writes the numbers to `bench/out/`.
 */
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { autonomyBounds, autonomyReport, measureAutonomy } from "./autonomy/main.ts";
import { type Bound, holdBounds } from "./bounds.ts";
import { calibrate, calibrationLine, slower } from "./calibration.ts";
import { closedLoop, type Sample } from "./closed-loop.ts";
import { conversationBounds, conversationReport, measureConversations } from "./conversations.ts";
import { firstPrompt } from "./first-prompt.ts";
import { mcpBounds, mcpReport, measureMcp } from "./mcp/main.ts";
import { measureDisk, measureMemory, measureStarts } from "./memory.ts";
import { type Server, startServer } from "./process.ts";
import { promptTokens } from "./prompt-tokens.ts";
import { boundsOf, type Cell, report } from "./report.ts";
import {
  echoTarget,
  gatewayTarget,
  newHome,
  type Operation,
  serviceCommand,
  serviceTarget,
  startEcho,
  startGateway,
  type Target,
} from "./targets.ts";
import { measureToolLists, toolListBounds, toolListReport } from "./tool-lists.ts";

const out = fileURLToPath(new URL("out/", import.meta.url));
const plan: readonly (readonly [Operation, number])[] = [
  ["send", 1],
  ["send", 64],
  ["tool", 64],
  ["stream", 16],
  ["get", 64],
];

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "3" },
    /** Of each cell in each round. */
    seconds: { type: "string", default: "1" },
    tasks: { type: "string", default: "10000" },
    streams: { type: "string", default: "1000" },
    /** One part of it alone. */
    only: { type: "string" },
  },
});

/** Runs every cell once; the order of the targets turns with the rounds, so that a slow minute hits all of them. */
async function round(targets: readonly Target[], number: number, seconds: number): Promise<[string, Sample][]> {
  const found: [string, Sample][] = [];
  for (const [operation, concurrency] of plan) {
    for (let offset = 0; offset < targets.length; offset++) {
      const target = targets[(offset + number) % targets.length] as Target;
      if (target.operations[operation] === undefined) continue;
      const key = `${operation} ${concurrency} ${target.name}`;
      found.push([key, await closedLoop(target, operation, concurrency, { seconds })]);
    }
  }
  return found;
}

async function measureSpeed(gateway: Server): Promise<{ cells: Cell[]; stallMs: number }> {
  const service = await startServer(serviceCommand(gateway, newHome()));
  const echo = await startEcho();
  const targets = [await serviceTarget(service), gatewayTarget(gateway), echoTarget(echo)];
  await round(targets, 0, 0.4);
  const samples = new Map<string, Sample[]>();
  const stalls = monitorEventLoopDelay({ resolution: 20 });
  stalls.enable();
  for (let number = 0; number < Number(values.rounds); number++) {
    for (const [key, sample] of await round(targets, number, Number(values.seconds))) {
      samples.set(key, [...(samples.get(key) ?? []), sample]);
    }
    console.error(`round ${number + 1} of ${values.rounds}`);
  }
  stalls.disable();
  await Promise.all([service.kill(), echo.kill()]);
  const cells = plan.flatMap(([operation, concurrency]) =>
    targets.flatMap(({ name: target }) => {
      const rounds = samples.get(`${operation} ${concurrency} ${target}`);
      return rounds === undefined ? [] : [{ operation, concurrency, target, rounds }];
    }),
  );
  return { cells, stallMs: stalls.max / 1e6 };
}

/** Everything, into a file too. */
async function measureAll(gateway: Server): Promise<void> {
  const date = new Date().toISOString();
  const before = await calibrate();
  const prompt = promptTokens(await firstPrompt());
  const diskMs = await measureDisk();
  const { cells, stallMs } = await measureSpeed(gateway);
  const starts = await measureStarts(gateway, 5);
  console.error("memory");
  const memory = await measureMemory(gateway, Number(values.streams), Number(values.tasks));
  console.error("conversations");
  const conversations = await measureConversations(gateway);
  console.error("tool lists");
  const toolLists = await measureToolLists();
  console.error("MCP servers");
  const mcp = await measureMcp(gateway);
  console.error("scheduled jobs");
  const autonomy = await measureAutonomy(gateway);
  const calibration = slower(before, await calibrate());
  const machine = `${cpus().length} × ${cpus()[0]?.model ?? "unknown"}, Node ${process.version}, ${process.platform}`;
  const speed = { date, machine, calibration, cells, stallMs, diskMs, starts, memory, prompt };
  const findings = { ...speed, conversations, toolLists, mcp, autonomy };
  const file = `${out}${date.replaceAll(":", "-")}.json`;
  writeFileSync(file, JSON.stringify(findings, null, 1));
  console.log(report(findings));
  console.log(conversationReport(conversations));
  console.log(toolListReport(toolLists));
  console.log(mcpReport(mcp));
  console.log(autonomyReport(autonomy));
  const more = [...conversationBounds(conversations), ...toolListBounds(toolLists), ...mcpBounds(mcp)];
  holdBounds([...boundsOf(findings), ...more, ...autonomyBounds(autonomy)], calibration.factor);
  console.log(`numbers: ${file}`);
}

/** Parts that can be measured alone: each prints what it found. */
const PARTS: Readonly<Record<string, (gateway: Server) => Promise<readonly Bound[]>>> = {
  async autonomy(gateway) {
    const found = await measureAutonomy(gateway);
    console.log(autonomyReport(found));
    return autonomyBounds(found);
  },
};

async function measurePart(gateway: Server, name: string): Promise<void> {
  const part = Object.hasOwn(PARTS, name) ? PARTS[name] : undefined;
  if (part === undefined) throw new Error(`there is no part ${name}: ${Object.keys(PARTS).join(", ")}`);
  const before = await calibrate();
  const bounds = await part(gateway);
  const calibration = slower(before, await calibrate());
  console.log(calibrationLine(calibration));
  holdBounds(bounds, calibration.factor);
}

const gateway = await startGateway();
try {
  await (values.only === undefined ? measureAll(gateway) : measurePart(gateway, values.only));
} finally {
  await gateway.kill();
  for (const name of readdirSync(out)) if (name.startsWith("home-")) rmSync(out + name, { recursive: true });
}
