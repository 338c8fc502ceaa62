/** Jobs that are due in one second: how soon they are accepted, what sends lose beside them, and what a slot's turn costs. */
import { setTimeout as sleep } from "node:timers/promises";
import { closedLoop } from "../closed-loop.ts";
import { startIn } from "../mcp/service.ts";
import { type Server, threadsCpuMs } from "../process.ts";
import { newHome, serviceTarget } from "../targets.ts";
import { countsOf, makeJobs, readerOf, removeJobs, untilEnded } from "./service.ts";

const JOBS = 1_000;
const SENDS_AT_ONCE = 16;
const ROUNDS = 3;
/** Seconds for which sends are counted, with the burst and without. */
const WINDOW_S = 5;
/** Milliseconds until the jobs are due, beyond what making them takes. */
const AHEAD_MS = 12_000;
const COST_ROUNDS = 6;
const COST_JOBS = 400;

export interface BurstFigures {
  readonly jobs: number;
  /** Until the last of them was accepted, beside sends. */
  readonly acceptedMs: number;
  /** Sends a second without them, as a multiple of those beside them. */
  readonly sendsLost: number;
  /** Microseconds of the processor. */
  readonly slotUs: number | undefined;
  readonly sendUs: number | undefined;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

/** Makes jobs of one datetime, and waits until just before it. */
async function jobsAhead(server: Server, count: number): Promise<number> {
  const slot = (Math.floor(Date.now() / 1_000) + AHEAD_MS / 1_000) * 1_000;
  await makeJobs(server, count, new Date(slot).toISOString());
  if (Date.now() > slot - WINDOW_S * 1_000) throw new Error("making the jobs took too long");
  return slot;
}

/** Sends alone, and then beside the jobs. */
export async function measureBurst(gateway: Server): Promise<BurstFigures> {
  const home = newHome();
  const server = await startIn(gateway, home);
  const target = await serviceTarget(server);
  const store = readerOf(home);
  const accepted: number[] = [];
  const lost: number[] = [];
  try {
    await closedLoop(target, "send", SENDS_AT_ONCE, { seconds: 2 });
    for (let round = 0; round < ROUNDS; round++) {
      const slot = await jobsAhead(server, JOBS);
      const before = slot - Date.now() - WINDOW_S * 1_000;
      const alone = await closedLoop(target, "send", SENDS_AT_ONCE, { seconds: Math.min(WINDOW_S, before / 1_000) });
      await sleep(slot - Date.now());
      const beside = await closedLoop(target, "send", SENDS_AT_ONCE, { seconds: WINDOW_S });
      if (alone.errors + beside.errors > 0) throw new Error("sends failed");
      await untilEnded(store, slot, JOBS);
      accepted.push(countsOf(store, slot).lastBegun - slot);
      lost.push(alone.rate / beside.rate);
      await removeJobs(server, JOBS);
    }
    const { slotUs, sendUs } = await turnCosts(server, { target, store });
    return { jobs: JOBS, acceptedMs: median(accepted), sendsLost: median(lost), slotUs, sendUs };
  } finally {
    store.close();
    await server.stop();
  }
}

/** Processor time of a slot's turn and of a plain send, in turns; each begins a conversation. */
async function turnCosts(
  server: Server,
  {
    target,
    store,
  }: { readonly target: Awaited<ReturnType<typeof serviceTarget>>; readonly store: ReturnType<typeof readerOf> },
): Promise<Pick<BurstFigures, "slotUs" | "sendUs">> {
  const slots: number[] = [];
  const sends: number[] = [];
  for (let round = 0; round < COST_ROUNDS; round++) {
    const slot = await jobsAhead(server, COST_JOBS);
    await sleep(slot - Date.now() - 200);
    const first = threadsCpuMs(server.pid);
    await untilEnded(store, slot, COST_JOBS);
    const second = threadsCpuMs(server.pid);
    await closedLoop(target, "send", SENDS_AT_ONCE, { count: COST_JOBS });
    const third = threadsCpuMs(server.pid);
    await removeJobs(server, COST_JOBS);
    if (first === undefined || second === undefined || third === undefined)
      return { slotUs: undefined, sendUs: undefined };
    slots.push(((second - first) * 1_000) / COST_JOBS);
    sends.push(((third - second) * 1_000) / COST_JOBS);
  }
  // What else the machine does only adds.
  return { slotUs: Math.min(...slots), sendUs: Math.min(...sends) };
}
