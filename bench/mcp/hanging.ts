/** What eight calls that hang cost fifty-six that do not: two services in turns, of which one has them. */
import { quantile } from "../closed-loop.ts";
import { Connection, post } from "../connection.ts";
import type { Server } from "../process.ts";
import { BENCH_TOKEN } from "../targets.ts";
import { ECHO_SERVER, echoEntry, homeWith, startIn, untilReady } from "./service.ts";

const CALLS = 64;
const HANGING = 8;
const ROUNDS = 10;
/** Calls of one client in a round. */
const CALLS_EACH = 10;

/** The 99th percentile of the calls that do not hang, in milliseconds. */
export interface HangingFigures {
  readonly without: number;
  readonly beside: number;
}

const callOf = (tool: string, args: object): string => post(`/api/tools/${tool}/call`, { args }, BENCH_TOKEN);

async function start(gateway: Server): Promise<Server> {
  const hangs = { name: "hangs", command: process.execPath, args: [ECHO_SERVER, "hangs"], call_timeout: 0 };
  const server = await startIn(gateway, homeWith([echoEntry("echo"), hangs]));
  await untilReady(server, 2);
  return server;
}

/** As many clients as calls do not hang, each with one call after the other; resolves with the time of each. */
async function round(connections: readonly Connection[]): Promise<readonly number[]> {
  const request = callOf("echo__echo", { text: "on its way" });
  const times: number[] = [];
  const client = async (connection: Connection): Promise<void> => {
    for (let call = 0; call < CALLS_EACH; call++) {
      const began = performance.now();
      const { status, body } = await connection.send(request);
      times.push(performance.now() - began);
      if (status !== 200 || !body.includes("on its way")) throw new Error(`${status}: ${body.slice(0, 300)}`);
    }
  };
  await Promise.all(connections.map(client));
  return times;
}

/** Measures both. */
export async function measureHanging(gateway: Server): Promise<HangingFigures> {
  const servers = [await start(gateway), await start(gateway)] as const;
  const [quiet, beside] = servers.map(({ port }) =>
    Array.from({ length: CALLS - HANGING }, () => new Connection(port)),
  ) as [Connection[], Connection[]];
  const hanging = Array.from({ length: HANGING }, () => new Connection(servers[1].port));
  // They are answered after a while with the task that works on.
  const begun = hanging.map((connection) =>
    connection.send(callOf("hangs__echo", { text: "x" })).catch(() => undefined),
  );
  const times = { without: [] as number[], beside: [] as number[] };
  try {
    await Promise.all([round(quiet), round(beside)]);
    for (let number = 0; number < ROUNDS; number++) {
      times.without.push(...(await round(quiet)));
      times.beside.push(...(await round(beside)));
    }
  } finally {
    for (const connection of [...quiet, ...beside, ...hanging]) connection.close();
    await Promise.all([...begun, ...servers.map((server) => server.stop())]);
  }
  const [without, besideMs] = [times.without, times.beside].map((list) => quantile(list, 0.99));
  return { without: without!, beside: besideMs! };
}
