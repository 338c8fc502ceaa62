/** What twenty servers, half of them dead, add to the start, and what idle ones add to a send. */
import { closedLoop, quantile } from "../closed-loop.ts";
import { cpuMs, type Server, threadsCpuMs } from "../process.ts";
import { serviceTarget } from "../targets.ts";
import { deadEntries, type Entry, echoEntry, homeWith, startIn, untilReady } from "./service.ts";

const SERVERS = 20;
const SENDS_AT_ONCE = 16;
const SENDS = 150;
const ROUNDS = 16;
const WARM_UP = 8;

/** One figure without MCP servers, and with them. */
export interface Pair {
  readonly without: number;
  readonly beside: number;
}

/** From the start of the process to the first answer, in milliseconds: by the clock, and of the processor. */
export interface McpStartFigures {
  readonly ms: Pair;
  readonly cpuMs: Pair;
}

function echoes(count: number, more: Entry = {}): readonly Entry[] {
  return Array.from({ length: count }, (_, at) => echoEntry(`echo${at}`, more));
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  if (sorted.length % 2 === 1) return sorted[middle] ?? Number.NaN;
  return ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2;
}

/** Starts both in turns. Each finds its store, and the definitions of its servers, as it left them. */
export async function measureMcpStarts(gateway: Server, starts = 16): Promise<McpStartFigures> {
  const sides = [homeWith([]), homeWith([...echoes(SERVERS / 2), ...deadEntries(SERVERS / 2)])].map((home, at) => ({
    ...{ home, ready: (at * SERVERS) / 2, ms: [] as number[], cpu: [] as number[] },
  }));
  for (let start = 0; start <= starts; start++) {
    for (const { home, ready, ms, cpu } of start % 2 === 0 ? sides : sides.toReversed()) {
      const server = await startIn(gateway, home);
      const began = performance.now();
      const response = await fetch(`http://127.0.0.1:${server.port}/.well-known/agent-card.json`);
      await response.arrayBuffer();
      const [took, used] = [server.startMs + performance.now() - began, cpuMs(server.pid)];
      if (!response.ok) throw new Error(`the card is ${response.status}`);
      await untilReady(server, ready);
      await server.stop();
      // The first start makes the store, and pins what the servers show.
      if (start === 0) continue;
      ms.push(took);
      if (used !== undefined) cpu.push(used);
    }
  }
  const [without, beside] = sides as [(typeof sides)[0], (typeof sides)[0]];
  // What else the machine does only adds.
  const quick = (values: readonly number[]): number => quantile(values, 0.25);
  return {
    ms: { without: quick(without.ms), beside: quick(beside.ms) },
    cpuMs: { without: quick(without.cpu), beside: quick(beside.cpu) },
  };
}

/** Microseconds of the service's processor time for a send, and sends a second. */
export interface IdleFigures {
  /** Idle servers, none of whose tools the agent has: every call of the model is the same. */
  readonly cpuUs: Pair;
  readonly rate: Pair;
  /** Their twenty tools are offered to the model as well: its calls are larger. */
  readonly offeredCpuUs: number;
}

interface Side {
  readonly cpu: readonly number[];
  readonly rates: readonly number[];
}

/** Sends to a service of each home in turns. */
async function sendInTurns(gateway: Server, homes: readonly (readonly [string, number])[]): Promise<readonly Side[]> {
  const servers: Server[] = [];
  try {
    for (const [home, ready] of homes) {
      const server = await startIn(gateway, home);
      servers.push(server);
      await untilReady(server, ready);
    }
    const sides = await Promise.all(
      servers.map(async (server) => ({
        ...{ server, target: await serviceTarget(server), cpu: [] as number[], rates: [] as number[] },
      })),
    );
    for (let round = -WARM_UP; round < ROUNDS; round++) {
      for (const { server, target, cpu, rates } of round % 2 === 0 ? sides : sides.toReversed()) {
        const before = threadsCpuMs(server.pid);
        const { rate, errors } = await closedLoop(target, "send", SENDS_AT_ONCE, { count: SENDS });
        const after = threadsCpuMs(server.pid);
        if (errors > 0) throw new Error(`${errors} sends failed`);
        // The first rounds compile.
        if (round < 0) continue;
        rates.push(rate);
        if (before !== undefined && after !== undefined) cpu.push(((after - before) * 1_000) / SENDS);
      }
    }
    return sides;
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}

/**
 * Sends to three services in turns: without servers, with idle ones, with idle ones whose tools are offered. A process beside
 * itself differs by some hundredths for as long as it runs, so there are several of each.
 */
export async function measureIdleServers(gateway: Server, processes = 4): Promise<IdleFigures> {
  const homes: readonly (readonly [string, number])[] = [
    [homeWith([]), 0],
    [homeWith(echoes(SERVERS, { tools: { exclude: ["echo"] } })), SERVERS],
    [homeWith(echoes(SERVERS)), SERVERS],
  ];
  const found: (readonly Side[])[] = [];
  for (let at = 0; at < processes; at++) found.push(await sendInTurns(gateway, homes));
  // What else the machine does only adds.
  const cpuOf = (side: number): number => median(found.map((sides) => quantile(sides[side]?.cpu ?? [], 0.25)));
  const rateOf = (side: number): number => median(found.map((sides) => quantile(sides[side]?.rates ?? [], 0.75)));
  return {
    cpuUs: { without: cpuOf(0), beside: cpuOf(1) },
    rate: { without: rateOf(0), beside: rateOf(1) },
    offeredCpuUs: cpuOf(2),
  };
}
