/** Keeps a number of requests in flight and counts what comes back. */
import { Connection } from "./connection.ts";
import { cpuMs } from "./process.ts";
import type { Exchange, Operation, Target } from "./targets.ts";

/** What one run gave. Times in milliseconds. */
export interface Sample {
  /** Operations a second. */
  readonly rate: number;
  readonly p50: number;
  readonly p99: number;
  /** Of the first chunk with text; streams only. */
  readonly delta50: number | undefined;
  /** CPU of the server for each operation, in microseconds. */
  readonly cpuUs: number | undefined;
  readonly errors: number;
}

/** How long a run lasts: seconds, or a number of operations. */
export type Extent = { readonly seconds: number } | { readonly count: number };

/** The value below which a share of the values lies. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** One exchange; resolves with the time of the first delta, if it has one. @throws Error when the answer is not whole */
async function exchange(connection: Connection, { request, whole, delta }: Exchange): Promise<number | undefined> {
  let first: number | undefined;
  let before = "";
  const look = (chunk: string): void => {
    if (first !== undefined || delta === undefined) return;
    if ((before + chunk).includes(delta)) first = performance.now();
    before = chunk.slice(-delta.length);
  };
  const { status, body } = await connection.send(request, delta === undefined ? undefined : look);
  const missing = whole.find((text) => !body.includes(text));
  if (status !== 200 || missing !== undefined) throw new Error(`${status}, no ${missing} in ${body.slice(0, 300)}`);
  return first;
}

/** Runs an operation with `concurrency` connections that each have one request in flight. */
export async function closedLoop(
  target: Target,
  operation: Operation,
  concurrency: number,
  extent: Extent,
): Promise<Sample> {
  const exchanges = target.operations[operation];
  if (exchanges === undefined) throw new Error(`${target.name} cannot ${operation}`);
  const times: number[] = [];
  const deltas: number[] = [];
  let errors = 0;
  let begun = 0;
  const cpuBefore = cpuMs(target.server.pid);
  const start = performance.now();
  const goesOn = (): boolean =>
    "count" in extent ? begun++ < extent.count : performance.now() - start < extent.seconds * 1000;
  const worker = async (): Promise<void> => {
    const connection = new Connection(target.server.port);
    while (goesOn()) {
      const began = performance.now();
      try {
        for (const one of typeof exchanges === "function" ? exchanges() : exchanges) {
          const first = await exchange(connection, one);
          if (first !== undefined) deltas.push(first - began);
        }
        times.push(performance.now() - began);
      } catch (error) {
        if (errors++ === 0) console.error(`${target.name} ${operation}: ${(error as Error).message}`);
        if (errors > 20) break;
      }
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  const seconds = (performance.now() - start) / 1000;
  const cpuAfter = cpuMs(target.server.pid);
  return {
    rate: times.length / seconds,
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    delta50: deltas.length === 0 ? undefined : quantile(deltas, 0.5),
    cpuUs:
      cpuBefore === undefined || cpuAfter === undefined ? undefined : ((cpuAfter - cpuBefore) * 1000) / times.length,
    errors,
  };
}
