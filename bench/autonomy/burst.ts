/** Jobs that are due in one second: how soon they are accepted, what sends lose beside them, and what a slot's turn costs. */
import { setTimeout as sleep } from "node:timers/promises";
import { closedLoop } from "../closed-loop.ts";
import { startIn } from "../mcp/service.ts";
import { type Server, threadsCpuMs } from "../process.ts";
import { ask, type Exchange, newHome, serviceTarget, type Target } from "../targets.ts";
import { countsOf, makeJobs, readerOf, removeJobs, untilEnded } from "./service.ts";

const JOBS = 1_000;
const SENDS_AT_ONCE = 16;
const ROUNDS = 3;
/** Seconds for which sends are counted, with the burst and without. */
const WINDOW_S = 5;
/** Milliseconds until the jobs are due, beyond what making them takes. */
const AHEAD_MS = 12_000;
const COST_ROUNDS = 5;
const COST_JOBS = 400;
/** Jobs that are on and not due: as many as a turn is shown, and more. */
const STANDING_JOBS = 20;
/** Milliseconds of the processor in a second of a service that has nothing to do, at most. */
const QUIET_MS = 15;

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

/** A send as a slot's turn begins: in a conversation that it names, with a message of its own, of that length. */
function sendsLikeSlots(target: Target, round: number): Target {
  let number = 0;
  const exchanges = (): readonly Exchange[] => {
    const id = `bench-${number++}`;
    const text = `(A run of the scheduled job ${id}, for ${new Date().toISOString()}. The schedule exists already: do not set it again.)\n\nhello`;
    const request = ask("message/send", text, { contextId: `send-${round}-${id}`, messageId: `send:${round}:${id}` });
    return [{ request, whole: ['"state":"completed"', "done"] }];
  };
  return { ...target, operations: { send: exchanges } };
}

/** Waits until what follows turns is done (summaries, at 25 a second), so that neither side pays for the other. */
async function untilQuiet(server: Server): Promise<void> {
  for (let look = 0; look < 60; look++) {
    const before = threadsCpuMs(server.pid) ?? 0;
    await sleep(1_000);
    if ((threadsCpuMs(server.pid) ?? 0) - before < QUIET_MS) return;
  }
  throw new Error("the service does not come to rest");
}

/**
 * Processor time of a slot's turn and of a plain send, in turns. Both begin a conversation that they name, are shown the same jobs,
 * come after a rest, and are about as many at once: of 400 slots 14 are under way in the mean.
 */
async function turnCosts(
  server: Server,
  { target, store }: { readonly target: Target; readonly store: ReturnType<typeof readerOf> },
): Promise<Pick<BurstFigures, "slotUs" | "sendUs">> {
  const slots: number[] = [];
  const sends: number[] = [];
  await makeJobs(server, STANDING_JOBS, "0 0 1 1 *", "standing");
  for (let round = 0; round < COST_ROUNDS; round++) {
    await untilQuiet(server);
    const slot = await jobsAhead(server, COST_JOBS);
    await sleep(slot - Date.now() - 200);
    const first = threadsCpuMs(server.pid);
    await untilEnded(store, slot, COST_JOBS);
    const second = threadsCpuMs(server.pid);
    await removeJobs(server, COST_JOBS);
    await untilQuiet(server);
    const third = threadsCpuMs(server.pid);
    const { errors } = await closedLoop(sendsLikeSlots(target, round), "send", SENDS_AT_ONCE, { count: COST_JOBS });
    const fourth = threadsCpuMs(server.pid);
    if (errors > 0) throw new Error("sends failed");
    if (first === undefined || second === undefined || third === undefined || fourth === undefined)
      return { slotUs: undefined, sendUs: undefined };
    slots.push(((second - first) * 1_000) / COST_JOBS);
    sends.push(((fourth - third) * 1_000) / COST_JOBS);
  }
  // What else the machine does only adds.
  return { slotUs: Math.min(...slots), sendUs: Math.min(...sends) };
}
