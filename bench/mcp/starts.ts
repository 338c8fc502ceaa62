/** What twenty servers, half of them dead, add to the start, and what idle ones add to a send. */
import { closedLoop, quantile } from "../closed-loop.ts";
import { cpuMs, type Server, threadsCpuMs } from "../process.ts";
import { serviceTarget } from "../targets.ts";
import { deadEntries, type Entry, echoEntry, homeWith, startIn, untilReady } from "./service.ts";

const SERVERS = 20;
const SENDS_AT_ONCE = 16;
const SENDS = 200;

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

const median = (values: readonly number[]): number => quantile(values, 0.5);

/** Starts both in turns. Each finds its store, and the definitions of its servers, as it left them. */
export async function measureMcpStarts(gateway: Server, starts = 12): Promise<McpStartFigures> {
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
  return {
    ms: { without: median(without.ms), beside: median(beside.ms) },
    cpuMs: { without: median(without.cpu), beside: median(beside.cpu) },
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

/** Sends to three services in turns: without servers, with idle ones, with idle ones whose tools are offered. */
export async function measureIdleServers(gateway: Server, rounds = 30): Promise<IdleFigures> {
  const homes: readonly (readonly [string, number])[] = [
    [homeWith([]), 0],
    [homeWith(echoes(SERVERS, { tools: { exclude: ["echo"] } })), SERVERS],
    [homeWith(echoes(SERVERS)), SERVERS],
  ];
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
    for (let round = -8; round < rounds; round++) {
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
    const [without, beside, offered] = sides as [(typeof sides)[0], (typeof sides)[0], (typeof sides)[0]];
    return {
      cpuUs: { without: median(without.cpu), beside: median(beside.cpu) },
      rate: { without: median(without.rates), beside: median(beside.rates) },
      offeredCpuUs: median(offered.cpu),
    };
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}
