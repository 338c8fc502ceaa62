/** A run: two services, a watch beside them, many cases, and the verdict. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { WAIT_LIMIT_MS } from "../../run/limits.ts";
import { createRandom } from "../random.ts";
import { checkStore, type StoreFigures } from "./check-stores.ts";
import { FuzzLedger } from "./fuzz-ledger.ts";
import { type FuzzProcess, type FuzzServiceState, startFuzzProcess } from "./fuzz-process.ts";
import { slownessAt } from "./pace-watch.ts";
import { Connections, type Instances, type OnAnswer, runCase } from "./run-case.ts";
import { type Stall, sharedWith } from "./stall-watch.ts";

/** What to run. */
export interface FuzzOptions {
  readonly seed: string;
  /** Requests after which no further case is begun. */
  readonly requests: number;
  /** Cases at a time. */
  readonly parallel: number;
  /** Runs this case and no other. */
  readonly only?: number | undefined;
  /** Milliseconds an event loop may be blocked. Default: what is promised, on a machine that does nothing else. */
  readonly mostStallMs?: number;
  /** Called now and then with the requests so far. */
  readonly onProgress?: (requests: number, violations: number) => void;
  readonly onAnswer?: OnAnswer | undefined;
}

/** How one service fared. */
export interface ServiceFigures {
  readonly name: string;
  /** Standstills of the event loop of 100 ms and more that are its own, the longest one, and those it only waited in. */
  readonly stalls: number;
  readonly longestStallMs: number;
  readonly waits: number;
  /** Largest resident memory, and what a collection left at the end, in bytes. */
  readonly maxRss: number;
  readonly heldBytes: number;
  readonly store: StoreFigures;
}

/** How a run went. */
export interface FuzzReport {
  readonly violations: readonly string[];
  /** Including those that are not reported. */
  readonly blames: number;
  readonly requests: number;
  readonly cases: number;
  readonly acknowledged: number;
  readonly statuses: ReadonlyMap<string, number>;
  readonly outcomes: ReadonlyMap<string, number>;
  readonly labels: ReadonlyMap<string, number>;
  readonly services: readonly ServiceFigures[];
  readonly ms: number;
  /** What it leaves when something went wrong. */
  readonly folder: string;
}

/** The maximum time an event loop may be blocked. */
const MOST_STALL_MS = 100;
/** Off the processor and not explained by the idle watch: a machine this busy still schedules within so many times that. */
const MOST_WAIT = 20;
/** Resident memory of a service under fuzz, with bodies of 10 MiB among the requests. */
const MOST_RSS = 1024 * 1024 * 1024;
/** What a service may still hold when all is over and collected. */
const MOST_HELD = 192 * 1024 * 1024;

/** Runs cases until there were enough requests. */
export async function runFuzz(options: FuzzOptions): Promise<FuzzReport> {
  const startedAt = performance.now();
  const folder = mkdtempSync(path.join(tmpdir(), "proof-fuzz-"));
  const ledger = new FuzzLedger(folder);
  const names = ["open", "gated", "idle"] as const;
  const [open, gated, idle] = (await Promise.all(names.map((name) => startFuzzProcess(name, folder)))) as [
    FuzzProcess,
    FuzzProcess,
    FuzzProcess,
  ];
  const services = [open, gated];
  let cases = 0;
  let figures: Omit<ServiceFigures, "store">[];
  try {
    cases = await runCases(options, { open, gated }, ledger);
    await rest(services, ledger);
    const machine = await idle.state();
    figures = await Promise.all(
      services.map((service) =>
        judgeService(service, { machine, ledger, mostStallMs: options.mostStallMs ?? MOST_STALL_MS }),
      ),
    );
  } finally {
    await Promise.all([open, gated, idle].map((process) => process.stop()));
  }
  const withStores = figures.map((one, i) => ({ ...one, store: checkStore(services[i] as FuzzProcess, ledger) }));
  if (ledger.blames === 0) rmSync(folder, { recursive: true, force: true });
  return {
    violations: ledger.violations,
    blames: ledger.blames,
    requests: ledger.requests,
    cases,
    acknowledged: ledger.tasks.size,
    statuses: ledger.statuses,
    outcomes: ledger.outcomes,
    labels: ledger.labels,
    services: withStores,
    ms: performance.now() - startedAt,
    folder,
  };
}

async function runCases(options: FuzzOptions, instances: Instances, ledger: FuzzLedger): Promise<number> {
  const connections = new Connections(instances);
  const context = { seed: createRandom(options.seed), instances, connections, ledger, onAnswer: options.onAnswer };
  let next = options.only ?? 0;
  const isDone = (): boolean =>
    options.only === undefined ? ledger.requests >= options.requests : next > options.only;
  const worker = async (): Promise<void> => {
    while (!isDone()) {
      const index = next++;
      try {
        await runCase(context, index);
      } catch (error) {
        ledger.blame(
          { case: index, step: -1 },
          `the proof itself failed: ${error instanceof Error ? error.stack : error}`,
        );
      }
      const dead = [instances.open, instances.gated].find((service) => service.died() !== undefined);
      if (dead !== undefined) {
        ledger.blame({ case: index, step: -1 }, `the ${dead.name} service ${dead.died()}: ${dead.log().slice(-2_000)}`);
        return;
      }
      if (index % 1_000 === 999) options.onProgress?.(ledger.requests, ledger.blames);
    }
  };
  await Promise.all(Array.from({ length: options.only === undefined ? options.parallel : 1 }, worker));
  connections.close();
  return next - (options.only ?? 0);
}

/** Waits until nothing runs any more. */
async function rest(services: readonly FuzzProcess[], ledger: FuzzLedger): Promise<void> {
  for (const service of services) {
    const until = performance.now() + WAIT_LIMIT_MS;
    let { busy } = await service.state();
    while (busy > 0 && performance.now() < until) {
      await sleep(50);
      ({ busy } = await service.state());
    }
    if (busy > 0) ledger.blame(undefined, `${service.name}: ${busy} turns still run after ${WAIT_LIMIT_MS} ms`);
  }
}

/** Event loop, memory and log of a service whose work is done. */
async function judgeService(service: FuzzProcess, { machine, ledger, mostStallMs }: Judging) {
  const { stalls, maxRss, heldBytes } = await service.state({ collect: true });
  const blame = (text: string): void => ledger.blame(undefined, `${service.name}: ${text}`);
  const own = stalls.map((stall) => ownPart(stall, machine));
  const stood = own.filter(({ ownMs }) => ownMs >= mostStallMs);
  const waited = own.filter(({ wallMs, ownMs }) => wallMs >= mostStallMs && ownMs < mostStallMs);
  for (const { at, wallMs, cpuMs, ownMs } of stood) {
    blame(`the event loop stood still for ${round(ownMs)} ms (${round(cpuMs)} of ${round(wallMs)}) until ${clock(at)}`);
  }
  for (const { at, wallMs, cpuMs } of waited) {
    if (wallMs - cpuMs >= MOST_WAIT * mostStallMs)
      blame(`the event loop waited ${round(wallMs)} ms until ${clock(at)}`);
  }
  if (maxRss > MOST_RSS) blame(`resident memory reached ${mebibytes(maxRss)} MiB`);
  if (heldBytes > MOST_HELD) blame(`${mebibytes(heldBytes)} MiB are held after everything ended`);
  for (const line of service.log().split("\n")) {
    if (line.includes('"level":"ERROR"')) blame(`the log has ${line.slice(0, 2_000)}`);
  }
  const longestStallMs = Math.max(0, ...own.map(({ ownMs }) => ownMs));
  return { name: service.name, stalls: stood.length, waits: waited.length, longestStallMs, maxRss, heldBytes };
}

interface Judging {
  readonly machine: Machine;
  readonly ledger: FuzzLedger;
  readonly mostStallMs: number;
}

/** Measurements of the machine by an idle process beside the services. */
type Machine = Pick<FuzzServiceState, "stalls" | "pace">;

/**
 * A stall with the part of it that is the service's own, in milliseconds of a machine at its best. What the idle process
 * felt too was the machine; what the thread did not compute in, it waited for a processor in; and a processor that is
 * shared computes more slowly than one that is not.
 */
function ownPart({ at, wallMs, cpuMs }: Stall, { stalls, pace }: Machine): Stall & { readonly ownMs: number } {
  const left = wallMs - sharedWith({ at, wallMs, cpuMs }, stalls);
  return { at, wallMs: left, cpuMs, ownMs: Math.min(left, cpuMs) / slownessAt(at, pace) };
}

function round(ms: number): number {
  return Math.round(ms);
}

function mebibytes(bytes: number): number {
  return Math.round(bytes / 1024 / 1024);
}

function clock(at: number): string {
  return new Date(at).toISOString().slice(11, 23);
}
