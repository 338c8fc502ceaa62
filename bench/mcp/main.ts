/**
 * What MCP servers cost: a start beside twenty, a send beside idle ones, a call beside the SDK's own client, memory. Both sides
 * of each ratio in turns. `pnpm bench` prints it; alone: `node bench/mcp/main.ts`.
 */
import { readdirSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Bound, holdBounds } from "../bounds.ts";
import type { Server } from "../process.ts";
import { startGateway } from "../targets.ts";
import { type CallFigures, measureCalls } from "./calls.ts";
import { type HangingFigures, measureHanging } from "./hanging.ts";
import { type McpMemoryFigures, measureMcpMemory } from "./memory.ts";
import { type IdleFigures, type McpStartFigures, measureIdleServers, measureMcpStarts } from "./starts.ts";

/** Everything that was found about MCP servers. */
export interface McpFigures {
  readonly starts: McpStartFigures;
  readonly idle: IdleFigures;
  readonly calls: CallFigures;
  readonly hanging: HangingFigures;
  readonly memory: McpMemoryFigures;
}

/** Measures one after the other. */
export async function measureMcp(gateway: Server): Promise<McpFigures> {
  return {
    starts: await measureMcpStarts(gateway),
    idle: await measureIdleServers(gateway),
    calls: await measureCalls(gateway),
    hanging: await measureHanging(gateway),
    memory: await measureMcpMemory(gateway),
  };
}

function figure(value: number | undefined, digits: number): string {
  return value === undefined || Number.isNaN(value) ? "–" : value.toFixed(digits);
}

/** The figures as lines. */
export function mcpReport({ starts, idle, calls, hanging, memory }: McpFigures): string {
  const { offModules, connectedModules } = memory;
  return [
    "MCP servers",
    `- start to the first answer: none ${figure(starts.ms.without, 0)} ms, 20 of which half are dead ${figure(starts.ms.beside, 0)} ms;` +
      ` processor ${figure(starts.cpuMs.without, 0)} and ${figure(starts.cpuMs.beside, 0)} ms`,
    `- a send: none ${figure(idle.cpuUs.without, 0)} µs CPU, ${figure(idle.rate.without, 0)} a second; 20 idle ones` +
      ` ${figure(idle.cpuUs.beside, 0)} µs, ${figure(idle.rate.beside, 0)}; with their 20 tools offered ${figure(idle.offeredCpuUs, 0)} µs`,
    `- a direct call, p50: of the service's own tool ${figure(calls.ownMs, 2)} ms, of the echo server's ${figure(calls.mcpMs, 2)} ms;` +
      ` the SDK's client alone ${figure(calls.sdkMs, 2)} ms`,
    `- 56 calls at once, p99: ${figure(hanging.without, 1)} ms; beside 8 that hang ${figure(hanging.beside, 1)} ms`,
    `- memory of its own: off ${figure(memory.offMb, 1)} MB, ${offModules} files of the SDK; one server ${figure(memory.connectedMb, 1)} MB, ${connectedModules}`,
    "",
  ].join("\n");
}

function ratio(part: number, of: number): number | undefined {
  return Number.isNaN(part / of) ? undefined : part / of;
}

/** What MCP servers may cost. */
export function mcpBounds({ starts, idle, calls, hanging, memory }: McpFigures): readonly Bound[] {
  const { offMb, connectedMb } = memory;
  const more = offMb === undefined || connectedMb === undefined ? undefined : connectedMb - offMb;
  const hold = (what: string, found: number | undefined, most: number): Bound => ({ what, found, most, isTime: false });
  // A list that finds the SDK nowhere would hold the next bound whatever is loaded.
  if (memory.connectedModules === 0) throw new Error("the list of modules does not show the SDK where it is in use");
  return [
    hold("start beside 20 MCP servers, half dead, × none", ratio(starts.ms.beside, starts.ms.without), 1.05),
    hold("a send beside 20 idle MCP servers, CPU × none", ratio(idle.cpuUs.beside, idle.cpuUs.without), 1.03),
    hold("an MCP call without its commits, p50 × the SDK alone", ratio(calls.mcpMs - calls.ownMs, calls.sdkMs), 1.3),
    hold("calls beside 8 that hang, p99 × without", ratio(hanging.beside, hanging.without), 1.2),
    hold("files of the MCP SDK that are loaded with mcp off", memory.offModules, 0),
    hold("one connected MCP server, MB", more, 15),
  ];
}

if (import.meta.main) {
  const gateway = await startGateway();
  try {
    const found = await measureMcp(gateway);
    console.log(mcpReport(found));
    holdBounds(mcpBounds(found), 1);
  } finally {
    await gateway.kill();
    const out = fileURLToPath(new URL("../out/", import.meta.url));
    for (const name of readdirSync(out)) if (name.startsWith("home-")) rmSync(out + name, { recursive: true });
  }
}
