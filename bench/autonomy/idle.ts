/** What jobs that are not due and watches that do not change cost: processor time, commits, memory. */
import { setTimeout as sleep } from "node:timers/promises";
import { startIn } from "../mcp/service.ts";
import { settled } from "../memory.ts";
import { childrenOf, ownMb, type Server, threadsCpuMs } from "../process.ts";
import { newHome } from "../targets.ts";
import { makeJobs, makeWatched, makeWatches, readerOf } from "./service.ts";

const JOBS = 1_000;
const WATCHES = 500;
const WINDOW_MS = 60_000;
/** Until a service has done what follows its start. */
const SETTLE_MS = 15_000;

export interface IdleFigures {
  readonly jobs: number;
  /** Each looks into a file every 30 seconds; half of them by an expression. */
  readonly watches: number;
  /** Of one processor. */
  readonly percent: number | undefined;
  /** Without jobs. */
  readonly percentWithout: number | undefined;
  /** How often the store was seen to have been written to in a minute, looking each second. */
  readonly writes: number;
  readonly writesWithout: number;
  readonly mb: number | undefined;
  /** Of the process that evaluates expressions, which ends two minutes after the last. */
  readonly expressionsMb: number | undefined;
}

/** Processor time of it and of what it started, in milliseconds. */
function familyCpuMs(pid: number): number | undefined {
  const times = [pid, ...childrenOf(pid)].map(threadsCpuMs);
  return times.reduce((sum, time) => (sum === undefined || time === undefined ? undefined : sum + time), 0);
}

/** A service with jobs and watches beside one without. */
export async function measureIdle(gateway: Server): Promise<IdleFigures> {
  const homes = [newHome(), newHome()];
  for (const home of homes) makeWatched(home);
  const first = await startIn(gateway, homes[1]!);
  await makeJobs(first, JOBS, "0 0 1 1 *");
  await makeWatches(first, WATCHES);
  await first.stop();
  const servers = [await startIn(gateway, homes[0]!), await startIn(gateway, homes[1]!)];
  const stores = homes.map((home) => readerOf(home));
  const versions = (): readonly unknown[] =>
    stores.map((store) => Object.values(store.prepare("PRAGMA data_version").get() ?? {})[0]);
  try {
    await sleep(SETTLE_MS);
    const begun = servers.map(({ pid }) => familyCpuMs(pid));
    const writes = [0, 0];
    let known = versions();
    for (let second = 0; second < WINDOW_MS / 1_000; second++) {
      await sleep(1_000);
      const seen = versions();
      for (const [at, version] of seen.entries()) if (version !== known[at]) writes[at] = (writes[at] ?? 0) + 1;
      known = seen;
    }
    const ended = servers.map(({ pid }) => familyCpuMs(pid));
    const percentOf = (at: number): number | undefined =>
      begun[at] === undefined || ended[at] === undefined ? undefined : ((ended[at] - begun[at]) * 100) / WINDOW_MS;
    const [without, beside] = [await settled(servers[0]!, ownMb), await settled(servers[1]!, ownMb)];
    const mb = without === undefined || beside === undefined ? undefined : beside - without;
    const [evaluator] = childrenOf(servers[1]!.pid);
    const expressionsMb = evaluator === undefined ? undefined : ownMb(evaluator);
    const [writesWithout = 0, writesBeside = 0] = writes;
    return {
      ...{ jobs: JOBS, watches: WATCHES, percent: percentOf(1), percentWithout: percentOf(0) },
      ...{ writes: writesBeside, writesWithout, mb, expressionsMb },
    };
  } finally {
    for (const store of stores) store.close();
    await Promise.all(servers.map((server) => server.stop()));
  }
}
